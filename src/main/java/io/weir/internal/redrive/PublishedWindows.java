package io.weir.internal.redrive;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.Life;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.UndecodableException;
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
 * The windows that another life of the application has published, perhaps in full: a withheld
 * reading would replace each by a window of the redriven readings alone. One thread.
 */
public final class PublishedWindows {
  /** For the sensors in question, the windows by their start; ordered, as senders choose names. */
  private final Map<String, NavigableMap<Long, Published>> windows = new TreeMap<>();

  private long firstMs = Long.MAX_VALUE;
  private long lastMs = Long.MIN_VALUE;

  /** A window, and the lives that published it; empty for one of an older version. */
  private record Published(long endMs, List<Optional<Life>> lives) {}

  /** Adds a withheld reading of a sensor; to be called for all of them before {@link #look}. */
  void add(String sensorId, long timestampMs) {
    windows.computeIfAbsent(sensorId, each -> new TreeMap<>());
    firstMs = Math.min(firstMs, timestampMs);
    lastMs = Math.max(lastMs, timestampMs);
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
        windowOf.apply(record).ifPresent(window -> add(window, Life.of(record.headers())));
      }
    }
  }

  private void add(WindowSummary window, Optional<Life> life) {
    NavigableMap<Long, Published> ofSensor = windows.get(window.getSensorId());
    if (ofSensor == null
        || window.getWindowStartMs() > lastMs
        || window.getWindowEndMs() <= firstMs) {
      return;
    }
    Published published =
        ofSensor.computeIfAbsent(
            window.getWindowStartMs(),
            each -> new Published(window.getWindowEndMs(), new ArrayList<>()));
    if (!published.lives().contains(life)) {
      published.lives().add(life);
    }
  }

  /**
   * Whether another life has published the window of a withheld reading.
   *
   * @param life the one that withheld it
   */
  boolean isOfAnotherLife(String sensorId, long timestampMs, Optional<Life> life) {
    NavigableMap<Long, Published> ofSensor = windows.get(sensorId);
    Map.Entry<Long, Published> window = ofSensor == null ? null : ofSensor.floorEntry(timestampMs);
    return window != null
        && timestampMs < window.getValue().endMs()
        && window.getValue().lives().stream().anyMatch(one -> !one.equals(life));
  }

  /**
   * Windows of a partition that start before this may have been published by another life; 0 for
   * none.
   *
   * @param life the one that runs
   */
  public static long publishedBeforeMs(
      Consumer<byte[], byte[]> reader,
      ValueFormat format,
      TopicPartition partition,
      Optional<Life> life) {
    ValueFormat.Reader values = reader(format, partition.topic());
    long beforeMs = 0;
    TopicScan pass = new TopicScan(reader, List.of(partition), 0);
    while (!pass.isDone()) {
      for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
        if (!Life.of(record.headers()).equals(life)) {
          long startMs = windowOf(values, record).map(WindowSummary::getWindowStartMs).orElse(-1L);
          beforeMs = Math.max(beforeMs, startMs + 1);
        }
      }
    }
    return beforeMs;
  }

  static ValueFormat.Reader reader(ValueFormat format, String topic) {
    return format.reader(
        topic, WindowSummary.getDefaultInstance(), WaitLimit.of(Redrive.REGISTRY_WAIT_MS));
  }

  /** Empty for a record that is no window, which nobody takes for one. */
  static Optional<WindowSummary> windowOf(
      ValueFormat.Reader values, ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return Optional.empty();
    }
    try {
      byte[] value = values.admit(record.value(), record.headers());
      int at = Frame.payloadOffset(value);
      return Optional.of(WindowSummary.parser().parseFrom(value, at, value.length - at));
    } catch (InvalidProtocolBufferException | UndecodableException e) {
      return Optional.empty();
    }
  }
}
