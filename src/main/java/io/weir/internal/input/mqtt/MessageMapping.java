package io.weir.internal.input.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopic;
import com.hivemq.client.mqtt.datatypes.MqttTopicFilter;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.mapping.JsonPath;
import io.weir.internal.text.mapping.MappingFile;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How JSON messages of some topics become readings: a mapping as for files. A message has the time
 * that the mapping names or, where it names none, that of its arrival. Immutable.
 *
 * @param filter of the topics
 * @param options of the mapping
 */
public record MessageMapping(String filter, Map<String, String> options) {
  private static final int MAX_READINGS = 100_000;
  private static final Set<String> FOR_CSV =
      Set.of("encoding", "skip-lines", "delimiter", "no-header", "columns", "wide");
  private static final String SENSOR_ID = "sensor-id";

  public MessageMapping {
    options = Map.copyOf(options);
  }

  /**
   * The mapping that a text names.
   *
   * @param text {@code FILE} for all topics, or {@code FILTER=FILE}
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  public static MessageMapping parse(String text) {
    int at = text.lastIndexOf('=');
    String filter = at < 0 ? "#" : MqttSettings.filter(text.substring(0, at));
    Map<String, String> options =
        new LinkedHashMap<>(MappingFile.read(Path.of(text.substring(at + 1))));
    String format = options.remove("format");
    if (format != null && !format.equals("json")) {
      throw new IllegalArgumentException("format: " + format + ": expected: json");
    }
    for (String option : options.keySet()) {
      if (FOR_CSV.contains(option)) {
        throw new IllegalArgumentException(option + " is not for messages of JSON");
      }
    }
    if (!options.containsKey("json-sensor-id")) {
      boolean several = JsonPath.parse(options.getOrDefault("json-value", "$.value")).hasAll();
      options.putIfAbsent(SENSOR_ID, several ? "{topic}/{column}" : "{topic}");
    }
    MappingOptions.ofRecords(options);
    return new MessageMapping(filter, options);
  }

  boolean isOf(String topic) {
    return MqttTopicFilter.of(filter).matches(MqttTopic.of(topic));
  }

  /** Whether messages have a time of their own. */
  boolean isTimed() {
    return options.containsKey("json-timestamp");
  }

  /** A reader of messages, for one thread. */
  RecordText reader(Limits limits) {
    return RecordText.json(
        MappingOptions.ofRecords(options),
        limits,
        isTimed() ? RecordText.Time.TEXT : RecordText.Time.RECORD,
        MAX_READINGS);
  }

  @Override
  public String toString() {
    return filter;
  }
}
