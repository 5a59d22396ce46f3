package io.weir.internal.input.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopic;
import com.hivemq.client.mqtt.datatypes.MqttTopicFilter;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.influx.LineMessages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where messages come from, and how they are read.
 *
 * @param broker the session's
 * @param filters of topics
 * @param takesRetained whether retained messages are readings
 * @param payload form of messages
 * @param sensorId template; empty for that of the payload
 * @param mappings of JSON messages; the first whose filter has the topic counts
 * @param maxPendingBytes of messages whose readings are not on disk yet
 * @param filtersFile where the filters of the session are kept
 */
public record MqttSettings(
    MqttBroker broker,
    List<String> filters,
    boolean takesRetained,
    Payload payload,
    Optional<SensorTemplate> sensorId,
    List<MessageMapping> mappings,
    long maxPendingBytes,
    Path filtersFile) {
  /** The parts of a template of sensor ids. */
  public static final Set<String> PARTS =
      Stream.concat(Stream.of("topic", "topic:", "column", "path:"), InfluxSettings.PARTS.stream())
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> WILDCARDS = Set.of("#", "+");
  private static final int SENDERS = 3;

  /** The form of messages: auto decides by the first byte. */
  public enum Payload {
    AUTO,
    NUMBER,
    JSON,
    CSV,
    LINE
  }

  /**
   * A filter of topics.
   *
   * @throws IllegalArgumentException if it is none, such as {@code a/#/b}
   */
  public static String filter(String text) {
    return MqttTopicFilter.of(text).toString();
  }

  /**
   * Of whose shares the sensors of a topic are: its first levels, one more than the filter spells
   * out; and the same with one and with two levels more, if there are.
   */
  String[] senders(String topic) {
    String filter =
        filters.stream()
            .map(each -> each.replaceFirst("^\\$share/[^/]*/", ""))
            .filter(
                each ->
                    filters.size() == 1 || MqttTopicFilter.of(each).matches(MqttTopic.of(topic)))
            .findFirst()
            .orElse("#");
    List<String> levels = List.of(filter.split("/"));
    int spelled = (int) levels.stream().takeWhile(each -> !WILDCARDS.contains(each)).count();
    List<String> senders = new ArrayList<>();
    int end = -1;
    for (int level = 0; level < spelled + SENDERS && end < topic.length(); level++) {
      int slash = topic.indexOf('/', end + 1);
      end = slash < 0 ? topic.length() : slash;
      if (level >= spelled || end == topic.length()) {
        senders.add(topic.substring(0, end));
      }
    }
    return senders.toArray(String[]::new);
  }

  /** A decoder of lines: ids are those of the template, with parts of topics, if there is one. */
  public LineMessages lines(InfluxSettings influx, Rejects rejects) {
    return new LineMessages(influx, sensorId.orElse(influx.template()), TopicParts::part, rejects);
  }
}
