package io.weir.internal.redrive;

import io.weir.internal.deadletter.Began;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The windows that an earlier state of the application has published, perhaps in full: a withheld
 * reading would replace each by a window of the redriven readings alone. One thread.
 */
final class PublishedWindows {
  /** For the sensors in question, the windows by their start; ordered, as senders choose names. */
  private final Map<String, NavigableMap<Long, Published>> windows = new TreeMap<>();

  private long beforeMs = Long.MIN_VALUE;

  /** A window, and where the states began that published it; empty for one without a gap. */
  private record Published(long endMs, List<Optional<Began>> states) {}

  /** Adds withheld readings of a sensor; to be called for all of them before {@link #look}. */
  void add(String sensorId, Began began) {
    windows.computeIfAbsent(sensorId, each -> new TreeMap<>());
    beforeMs = Math.max(beforeMs, began.beforeMs());
  }

  /**
   * Reads the topic of windows, if there are sensors in question.
   *
   * @param windowOf returns the summary of a record; empty if it is none
   */
  void look(
      Consumer<byte[], byte[]> reader,
      String topic,
      int partitions,
      Function<ConsumerRecord<byte[], byte[]>, Optional<WindowSummary>> windowOf) {
    if (windows.isEmpty() || partitions == 0) {
      return;
    }
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(one -> new TopicPartition(topic, one)).toList();
    TopicScan pass = new TopicScan(reader, all, 0);
    while (!pass.isDone()) {
      for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
        windowOf.apply(record).ifPresent(window -> add(window, new RedriveRecord(record).began()));
      }
    }
  }

  private void add(WindowSummary window, Optional<Began> state) {
    NavigableMap<Long, Published> ofSensor = windows.get(window.getSensorId());
    if (ofSensor == null || window.getWindowStartMs() >= beforeMs) {
      return;
    }
    Published published =
        ofSensor.computeIfAbsent(
            window.getWindowStartMs(),
            each -> new Published(window.getWindowEndMs(), new ArrayList<>()));
    if (!published.states().contains(state)) {
      published.states().add(state);
    }
  }

  /**
   * Whether another state has published the window of a withheld reading.
   *
   * @param began the {@link DeadLetterHeaders#BEGAN} of the reading
   */
  boolean isOfAnotherState(String sensorId, long timestampMs, Began began) {
    NavigableMap<Long, Published> ofSensor = windows.get(sensorId);
    Map.Entry<Long, Published> window = ofSensor == null ? null : ofSensor.floorEntry(timestampMs);
    return window != null
        && timestampMs < window.getValue().endMs()
        && window.getKey() < began.beforeMs()
        && window.getValue().states().stream().anyMatch(state -> !state.equals(Optional.of(began)));
  }
}
