package io.weir.cli;

import io.weir.v1.WindowSummary;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The last record of each window, by sensor and time. All records of a window are in one partition,
 * so the last one added is its latest summary. One thread; keeps the records of all windows in
 * memory.
 */
final class LatestWindows {
  private final TreeMap<Window, ConsumerRecord<byte[], byte[]>> records =
      new TreeMap<>(
          Comparator.comparing(Window::sensorId)
              .thenComparingLong(Window::startMs)
              .thenComparingLong(Window::endMs));

  private record Window(String sensorId, long startMs, long endMs) {}

  void add(WindowSummary summary, ConsumerRecord<byte[], byte[]> record) {
    records.put(
        new Window(summary.getSensorId(), summary.getWindowStartMs(), summary.getWindowEndMs()),
        record);
  }

  Stream<ConsumerRecord<byte[], byte[]>> stream() {
    return records.values().stream();
  }
}
