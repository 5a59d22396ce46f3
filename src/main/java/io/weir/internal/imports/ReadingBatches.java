package io.weir.internal.imports;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Fnv1a;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.function.ObjIntConsumer;

/**
 * Collects readings by the partitions of their sensors, in their order, and hands over the bytes of
 * batches. One thread.
 */
final class ReadingBatches {
  private static final int MAX_READINGS = 1_000;

  private final String gatewayId;
  private final int maxReadings;
  private final int room;
  private final ObjIntConsumer<byte[]> send;
  private final BatchEncoder encoder = new BatchEncoder();
  private final BatchColumns[] columns = new BatchColumns[SensorPartition.COUNT];
  private final int[] bytes = new int[SensorPartition.COUNT];

  /**
   * @param maxReadings most readings of a batch that the application accepts
   * @param room most bytes of a batch
   * @param send takes a batch and its partition
   */
  ReadingBatches(String gatewayId, int maxReadings, int room, ObjIntConsumer<byte[]> send) {
    this.gatewayId = gatewayId;
    this.maxReadings = Math.min(MAX_READINGS, maxReadings);
    this.room =
        room - BatchEncoder.mostBytesOfHeader(gatewayId.getBytes(StandardCharsets.UTF_8).length);
    this.send = send;
    for (int partition = 0; partition < columns.length; partition++) {
      columns[partition] = new BatchColumns();
    }
  }

  void add(Reading reading) {
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
  }

  /** Hands over all that is left. */
  void flush() {
    for (int partition = 0; partition < columns.length; partition++) {
      flush(partition);
    }
  }

  private void flush(int partition) {
    if (columns[partition].size() > 0) {
      send.accept(encoder.encode(gatewayId, 0, 0, columns[partition]), partition);
      columns[partition].clear();
      bytes[partition] = 0;
    }
  }
}
