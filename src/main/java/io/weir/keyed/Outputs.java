package io.weir.keyed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.serialization.Serializer;

/** The topics that handlers emit to, by name. Immutable. */
final class Outputs {
  private final String stateTopic;
  private final Map<String, Output<?, ?>> byTopic;

  private Outputs(String stateTopic, Map<String, Output<?, ?>> byTopic) {
    this.stateTopic = stateTopic;
    this.byTopic = byTopic;
  }

  /**
   * None.
   *
   * @param stateTopic the topic name passed to the serdes of states
   */
  static Outputs none(String stateTopic) {
    return new Outputs(stateTopic, Map.of());
  }

  <K, V> Outputs with(String topic, Serializer<K> keys, Serializer<V> values) {
    Map<String, Output<?, ?>> more = new LinkedHashMap<>(byTopic);
    more.put(topic, new Output<>(topic, keys, values, 0, 0));
    return new Outputs(stateTopic, more);
  }

  /**
   * The same with the topics' own limits.
   *
   * @param maxBytes largest record of a topic
   */
  Outputs limited(ToIntFunction<String> maxBytes) {
    Map<String, Output<?, ?>> limited = new LinkedHashMap<>();
    byTopic.forEach(
        (topic, output) -> limited.put(topic, output.withMax(maxBytes.applyAsInt(topic))));
    return new Outputs(stateTopic, limited);
  }

  List<String> topics() {
    return List.copyOf(byTopic.keySet());
  }

  /** The largest record of all. */
  int maxRecordBytes() {
    return byTopic.values().stream().mapToInt(Output::maxRecordBytes).max().orElse(0);
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
