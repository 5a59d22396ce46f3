package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.nio.ByteBuffer;

/** The last boot id and sequence of each partition. Not thread-safe. */
final class JournalMarks {
  private static final int ENTRY_BYTES = 1 + 2 * Long.BYTES;

  private final long[] bootIds = new long[SensorPartition.COUNT];
  private final long[] sequences = new long[SensorPartition.COUNT];

  /** Whether the batch is at the partition's mark or before it. */
  boolean covers(SequencedBatch batch) {
    return covers(batch.partition(), batch.bootId(), batch.sequence());
  }

  boolean covers(int partition, long bootId, long sequence) {
    return bootId < bootIds[partition]
        || bootId == bootIds[partition] && sequence <= sequences[partition];
  }

  /** Whether every mark is at or after the other's. */
  boolean coversAll(JournalMarks other) {
    for (int partition = 0; partition < bootIds.length; partition++) {
      if (!covers(partition, other.bootIds[partition], other.sequences[partition])) {
        return false;
      }
    }
    return true;
  }

  /** Moves the mark of a partition forward to the batch. */
  void moveTo(SequencedBatch batch) {
    moveTo(batch.partition(), batch.bootId(), batch.sequence());
  }

  long largestBootId() {
    long largest = 0;
    for (long bootId : bootIds) {
      largest = Math.max(largest, bootId);
    }
    return largest;
  }

  int bytes() {
    int entries = 0;
    for (long bootId : bootIds) {
      entries += bootId == 0 ? 0 : 1;
    }
    return entries * ENTRY_BYTES;
  }

  void put(ByteBuffer out) {
    for (int partition = 0; partition < bootIds.length; partition++) {
      if (bootIds[partition] != 0) {
        out.put((byte) partition).putLong(bootIds[partition]).putLong(sequences[partition]);
      }
    }
  }

  /** Reads the marks that {@link #put} wrote and moves to them. */
  void take(ByteBuffer in) {
    while (in.remaining() >= ENTRY_BYTES) {
      moveTo(in.get(), in.getLong(), in.getLong());
    }
  }

  private void moveTo(int partition, long bootId, long sequence) {
    if (!covers(partition, bootId, sequence)) {
      bootIds[partition] = bootId;
      sequences[partition] = sequence;
    }
  }
}
