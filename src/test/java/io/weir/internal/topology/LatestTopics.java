package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.json.RecordJson;
import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.test.TestRecord;

/** What a compacted topic of last summaries holds: the value of each key. */
final class LatestTopics {
  private final Map<Topic, Map<String, byte[]>> values = new HashMap<>();

  /** Reads what was written since. */
  void read(OutputTopics outputs) {
    for (Topic topic : Topic.values()) {
      if (topic.latestOf().isPresent()) {
        for (TestRecord<byte[], byte[]> record : outputs.read(topic.defaultName())) {
          values
              .computeIfAbsent(topic, first -> new HashMap<>())
              .put(text(record.key()), record.value());
        }
      }
    }
  }

  /** Bytes as a text, one char each. */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** The value of each key is the last summary of its window, and there are no other keys. */
  void check(Topic topic, LatestForm form, List<WindowSummary> lastOfEach) {
    Map<String, byte[]> found = values.getOrDefault(topic, Map.of());
    assertThat(found).as(topic.text()).hasSize(form == LatestForm.OFF ? 0 : lastOfEach.size());
    if (form == LatestForm.OFF) {
      return;
    }
    for (WindowSummary window : lastOfEach) {
      if (form == LatestForm.JSON) {
        assertThat(text(found.get(jsonKey(window)))).isEqualTo(tailed(window));
      } else {
        assertThat(parse(found.get(key(window)))).isEqualTo(window);
      }
    }
  }

  /** By protobuf's own encoder. */
  private static String key(WindowSummary window) {
    return text(
        WindowKey.newBuilder()
            .setSensorId(window.getSensorId())
            .setWindowStartMs(window.getWindowStartMs())
            .setWindowEndMs(window.getWindowEndMs())
            .build()
            .toByteArray());
  }

  private static String jsonKey(WindowSummary window) {
    return "{\"sensor_id\":\"%s\",\"window_start_ms\":%d,\"window_end_ms\":%d}"
        .formatted(window.getSensorId(), window.getWindowStartMs(), window.getWindowEndMs());
  }

  private static WindowSummary parse(byte[] value) {
    try {
      return WindowSummary.parseFrom(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The object of {@code weir tail} without topic, partition and offset. */
  private static String tailed(WindowSummary window) {
    byte[] value = window.toByteArray();
    String line = RecordJson.line(Topic.WINDOWS, new ConsumerRecord<>("t", 0, 0, null, value));
    return line.replace(",\"topic\":\"t\",\"partition\":0,\"offset\":0}", "}");
  }
}
