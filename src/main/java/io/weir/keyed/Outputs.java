package io.weir.keyed;

import io.weir.topic.RecordLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.serialization.Serializer;

/** The topics that handlers emit to, by name, with their serializers and limits. Thread-safe. */
final class Outputs {
  private final String stateTopic;
  private volatile Map<String, Output<?, ?>> byTopic;

  private Outputs(String stateTopic, Map<String, Output<?, ?>> byTopic) {
    this.stateTopic = stateTopic;
    this.byTopic = byTopic;
  }

  /**
   * No outputs.
   *
   * @param stateTopic the topic name passed to the serdes of states
   */
  static Outputs none(String stateTopic) {
    return new Outputs(stateTopic, Map.of());
  }

  <K, V> Outputs with(String topic, Serializer<K> keys, Serializer<V> values) {
    Map<String, Output<?, ?>> more = new LinkedHashMap<>(byTopic);
    more.put(topic, Output.of(topic, keys, values));
    return new Outputs(stateTopic, more);
  }

  /**
   * The same outputs with the limits of their topics.
   *
   * @param limits of a topic
   * @param partitions number of a topic's partitions
   */
  Outputs limited(Function<String, RecordLimits> limits, ToIntFunction<String> partitions) {
    return new Outputs(stateTopic, limited(limits, partitions, Output.MOST_RECORD_BYTES));
  }

  /**
   * Replaces the limits.
   *
   * @param mostRecordBytes maximum record size of the producer, in bytes
   */
  void limit(Function<String, RecordLimits> limits, int mostRecordBytes) {
    byTopic = limited(limits, topic -> byTopic.get(topic).partitions(), mostRecordBytes);
  }

  private Map<String, Output<?, ?>> limited(
      Function<String, RecordLimits> limits,
      ToIntFunction<String> partitions,
      int mostRecordBytes) {
    Map<String, Output<?, ?>> limited = new LinkedHashMap<>();
    byTopic.forEach(
        (topic, output) ->
            limited.put(
                topic,
                output.with(limits.apply(topic), partitions.applyAsInt(topic), mostRecordBytes)));
    return limited;
  }

  List<String> topics() {
    return List.copyOf(byTopic.keySet());
  }

  /** The largest record limit of all outputs. */
  int maxRecordBytes() {
    return byTopic.values().stream().mapToInt(output -> output.limits().maxBytes()).max().orElse(0);
  }

  String stateTopic() {
    return stateTopic;
  }

  Output<?, ?> of(String topic) {
    Output<?, ?> output = topic == null ? null : byTopic.get(topic);
    if (output == null) {
      Set<String> declared = new TreeSet<>(byTopic.keySet());
      throw new IllegalArgumentException(
          "topic " + topic + " is not among the outputs of the application, " + declared);
    }
    return output;
  }

  void close() {
    for (Output<?, ?> output : byTopic.values()) {
      output.keys().close();
      output.values().close();
    }
  }
}
