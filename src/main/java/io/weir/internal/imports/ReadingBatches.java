package io.weir.internal.imports;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Fnv1a;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects readings by the partitions of their sensors, in their order, and hands over the bytes of
 * batches. One thread.
 */
final class ReadingBatches {
  private static final int MAX_READINGS = 1_000;

  /** Most bytes of the text of an origin. */
  static final int MAX_ORIGIN = 1_000;

  /** Takes a batch, its partition and its origin. */
  @FunctionalInterface
  interface Send {
    void accept(byte[] batch, int partition, String origin);
  }

  private record Offsets(long first, long last) {
    Offsets and(Offsets other) {
      return new Offsets(Math.min(first, other.first), Math.max(last, other.last));
    }
  }

  private final String gatewayId;
  private final BatchCompleteness completeness;
  private final int maxReadings;
  private final int room;
  private final Send send;
  private final BatchEncoder encoder = new BatchEncoder();
  private final BatchColumns[] columns = new BatchColumns[SensorPartition.COUNT];
  private final List<SortedMap<String, Offsets>> origins = new ArrayList<>();
  private final int[] bytes = new int[SensorPartition.COUNT];
  private long allBytes;
  private final long[] sequences = new long[SensorPartition.COUNT];
  private long bootId;

  /**
   * @param ordered whether each sensor is complete through its newest reading of a batch
   * @param maxReadings most readings of a batch that the application accepts
   * @param room most bytes of a batch
   */
  ReadingBatches(String gatewayId, boolean ordered, int maxReadings, int room, Send send) {
    this.gatewayId = gatewayId;
    this.completeness = new BatchCompleteness(Map.of(), ordered);
    this.maxReadings = Math.min(MAX_READINGS, maxReadings);
    this.room =
        room - BatchEncoder.mostBytesOfHeader(gatewayId.getBytes(StandardCharsets.UTF_8).length);
    this.send = send;
    for (int partition = 0; partition < columns.length; partition++) {
      columns[partition] = new BatchColumns();
      origins.add(new TreeMap<>());
    }
  }

  /** The next batches have sequences from 1; those without a boot have none. */
  void beginBoot(long id) {
    bootId = id;
    Arrays.fill(sequences, 0);
  }

  /**
   * Adds a reading.
   *
   * @param source topic and partition of its record
   */
  void add(Reading reading, String source, long offset) {
    int hash = Fnv1a.hash(reading.sensorId());
    int partition = SensorPartition.ofHash(hash);
    int most =
        BatchEncoder.mostBytesOfReading(reading.sensorId().getBytes(StandardCharsets.UTF_8).length);
    if (columns[partition].size() >= maxReadings || bytes[partition] + most > room) {
      flush(partition);
    }
    columns[partition].add(
        reading.sensorId(), hash, reading.timestampMs(), reading.value(), reading.quality());
    bytes[partition] += most;
    allBytes += most;
    origins.get(partition).merge(source, new Offsets(offset, offset), Offsets::and);
  }

  /** Most bytes of the readings that were not handed over. */
  long bytes() {
    return allBytes;
  }

  /** Hands over all that is left. */
  void flush() {
    for (int partition = 0; partition < columns.length; partition++) {
      flush(partition);
    }
  }

  private void flush(int partition) {
    if (columns[partition].size() > 0) {
      long sequence = bootId == 0 ? 0 : ++sequences[partition];
      byte[] batch = encoder.encode(gatewayId, bootId, sequence, columns[partition], completeness);
      send.accept(batch, partition, origin(origins.get(partition)));
      origins.get(partition).clear();
      columns[partition].clear();
      allBytes -= bytes[partition];
      bytes[partition] = 0;
    }
  }

  private static String origin(SortedMap<String, Offsets> sources) {
    StringBuilder text = new StringBuilder();
    for (var each : sources.entrySet()) {
      String one = each.getKey() + ":" + each.getValue().first() + "-" + each.getValue().last();
      if (text.length() + one.length() + ", ...".length() > MAX_ORIGIN) {
        return text.append(",...").toString();
      }
      text.append(text.isEmpty() ? "" : ",").append(one);
    }
    return text.toString();
  }
}
