package io.weir.internal.topology;

import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;

/** What a topology under a test driver wrote since it was last asked, decoded. */
abstract class OutputTopics {
  static final String WINDOWS = "weir.windows";
  static final String ROLLUPS = "weir.rollups";
  static final String LATE = "weir.late";
  static final String DEAD_LETTERS = "weir.dead-letters";

  /** The records of a topic that were not read before. */
  abstract List<TestRecord<byte[], byte[]>> read(String topic);

  List<WindowSummary> windows() {
    return summaries(WINDOWS);
  }

  List<WindowSummary> rollups() {
    return summaries(ROLLUPS);
  }

  List<WindowSummary> hops() {
    return summaries("weir.hopping");
  }

  private List<WindowSummary> summaries(String topic) {
    List<WindowSummary> windows = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read(topic)) {
      try {
        WindowSummary window = WindowSummary.parseFrom(record.value());
        if (!window.getSensorId().equals(new String(record.key(), StandardCharsets.UTF_8))) {
          throw new AssertionError("key is not the sensor's id");
        }
        windows.add(window);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return windows;
  }

  /** Records of status, by sensor; null values are tombstones. */
  List<Map.Entry<String, SensorStatus>> statuses() {
    List<Map.Entry<String, SensorStatus>> statuses = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read("weir.status")) {
      String sensor = new String(record.key(), StandardCharsets.UTF_8);
      try {
        SensorStatus status =
            record.value() == null ? null : SensorStatus.parseFrom(record.value());
        statuses.add(new AbstractMap.SimpleEntry<>(sensor, status));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return statuses;
  }

  /** Batches of events. */
  List<EventBatch> eventBatches() {
    List<EventBatch> batches = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read("weir.events")) {
      try {
        batches.add(EventBatch.parseFrom(record.value()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return batches;
  }

  /** All events, in their order. */
  List<Event> events() {
    return eventBatches().stream().flatMap(batch -> batch.getEventsList().stream()).toList();
  }

  /** The values of windows as they are on the topic. */
  List<byte[]> windowValues() {
    return read(WINDOWS).stream().map(TestRecord::value).toList();
  }

  List<DeadLetter> late() {
    return deadLetters(LATE);
  }

  List<DeadLetter> deadLetters() {
    return deadLetters(DEAD_LETTERS);
  }

  private List<DeadLetter> deadLetters(String topic) {
    return read(topic).stream()
        .map(record -> new DeadLetter(record.key(), record.value(), record.headers()))
        .toList();
  }
}
