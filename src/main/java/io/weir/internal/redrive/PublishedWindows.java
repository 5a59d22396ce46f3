package io.weir.internal.redrive;

import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.topic.SensorPartition;
import io.weir.v1.WindowSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The windows that another life of the application has published, perhaps in full: a withheld
 * reading would replace each by a window of the redriven readings alone. One thread.
 */
public final class PublishedWindows {
  /**
   * For the sensors in question, by length and start of a window, the life of its newest record;
   * empty for one of an older version. Ordered, as senders choose names.
   */
  private final Map<String, Map<Long, Map<Long, Optional<Life>>>> windows = new TreeMap<>();

  /** The length of the running life's windows, by partition; a reset may have changed it. */
  private final Map<Integer, Long> lengthsMs = new TreeMap<>();

  private final Lives lives;
  private final List<KnownOffsets> noWindows;
  private long firstMs = Long.MAX_VALUE;
  private long lastMs = Long.MIN_VALUE;

  /**
   * @param noWindows offsets whose records need not be windows
   */
  PublishedWindows(Lives lives, List<KnownOffsets> noWindows) {
    this.lives = lives;
    this.noWindows = noWindows;
  }

  /** Adds a withheld reading of a sensor; to be called for all of them before {@link #look}. */
  void add(String sensorId, long timestampMs) {
    windows.computeIfAbsent(sensorId, each -> new TreeMap<>());
    firstMs = Math.min(firstMs, timestampMs);
    lastMs = Math.max(lastMs, timestampMs);
  }

  /** Reads the topic of windows, if there are sensors in question. */
  void look(Consumer<byte[], byte[]> reader, ValueFormat format, String topic) {
    if (windows.isEmpty()) {
      return;
    }
    List<TopicPartition> all =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(one -> new TopicPartition(topic, one))
            .toList();
    ValueFormat.Reader values = reader(format, topic);
    TopicScan pass = new TopicScan(reader, all, 0);
    while (!pass.isDone()) {
      for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
        windowOf(values, record, noWindows)
            .ifPresent(window -> add(record.partition(), window, Life.of(record.headers())));
      }
    }
  }

  private void add(int partition, WindowSummary window, Optional<Life> life) {
    if (lengthMs(window) <= 0) {
      return; // Forged.
    }
    if (life.isPresent() && life.equals(running(partition))) {
      lengthsMs.put(partition, lengthMs(window));
    }
    Map<Long, Map<Long, Optional<Life>>> ofSensor = windows.get(window.getSensorId());
    if (ofSensor == null
        || window.getWindowStartMs() > lastMs
        || window.getWindowEndMs() <= firstMs) {
      return;
    }
    // The records of a window are in one partition, in their order.
    ofSensor
        .computeIfAbsent(lengthMs(window), any -> new TreeMap<>())
        .put(window.getWindowStartMs(), life);
  }

  private Optional<Life> running(int partition) {
    return lives.of(partition).map(RunningLife::life);
  }

  private static long lengthMs(WindowSummary window) {
    return window.getWindowEndMs() - window.getWindowStartMs();
  }

  /**
   * Whether another life than the one that runs in a partition has published the newest record of a
   * withheld reading's window. Of any length, as long as the running life has published none.
   */
  boolean isOfAnotherLife(int partition, String sensorId, long timestampMs) {
    Long lengthMs = lengthsMs.get(partition);
    return windows.getOrDefault(sensorId, Map.of()).entrySet().stream()
        .filter(ofLength -> lengthMs == null || ofLength.getKey().equals(lengthMs))
        .map(
            ofLength ->
                ofLength
                    .getValue()
                    .get(timestampMs - Math.floorMod(timestampMs, ofLength.getKey())))
        .anyMatch(life -> life != null && !life.equals(running(partition)));
  }

  /**
   * Hands over the records of a partition's windows of a length and their offsets, in their order.
   *
   * @param noWindows offsets whose records need not be windows
   */
  public static void read(
      Consumer<byte[], byte[]> reader,
      ValueFormat format,
      TopicPartition partition,
      long lengthMs,
      List<KnownOffsets> noWindows,
      ObjLongConsumer<WindowSummary> action) {
    ValueFormat.Reader values = reader(format, partition.topic());
    TopicScan pass = new TopicScan(reader, List.of(partition), 0);
    while (!pass.isDone()) {
      for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
        windowOf(values, record, noWindows)
            .filter(window -> lengthMs(window) == lengthMs)
            .ifPresent(window -> action.accept(window, record.offset()));
      }
    }
  }

  private static ValueFormat.Reader reader(ValueFormat format, String topic) {
    return format.reader(
        topic, WindowSummary.getDefaultInstance(), WaitLimit.of(Redrive.REGISTRY_WAIT_MS));
  }

  /**
   * Empty for a tombstone, and for what an operator says is no window.
   *
   * @throws KafkaException for another record that cannot be read: what it protects is not known
   */
  private static Optional<WindowSummary> windowOf(
      ValueFormat.Reader values,
      ConsumerRecord<byte[], byte[]> record,
      List<KnownOffsets> noWindows) {
    if (record.value() == null) {
      return Optional.empty();
    }
    try {
      byte[] value = values.admit(record.value(), record.headers());
      return Optional.of(Protobuf.framed(WindowSummary.getDefaultInstance(), value));
    } catch (UndecodableException e) {
      if (noWindows.stream()
          .anyMatch(known -> known.contains(record.partition(), record.offset()))) {
        return Optional.empty();
      }
      throw new KafkaException(
          record.topic()
              + " partition "
              + record.partition()
              + " offset "
              + record.offset()
              + " is not a window that can be read with these settings, so it is not known which"
              + " windows were published: "
              + e.getMessage()
              + "; if the settings are right and others wrote it, go on with --not-a-window "
              + record.partition()
              + ":"
              + record.offset(),
          e);
    }
  }
}
