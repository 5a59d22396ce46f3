package io.weir.internal.fetch;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/** Replaces batches that are too large when decompressed. Thread-safe. */
final class BatchCheck {
  private final int maxBatchBytes;
  private final int maxRecordBytes;

  /**
   * @param maxBatchBytes largest size of a batch's records when decompressed
   * @param maxRecordBytes largest size of one of them
   */
  BatchCheck(int maxBatchBytes, int maxRecordBytes) {
    this.maxBatchBytes = maxBatchBytes;
    this.maxRecordBytes = maxRecordBytes;
  }

  /**
   * Returns the same records if all are within the limit, which costs a check of each batch's
   * header.
   */
  MemoryRecords checked(MemoryRecords records) {
    for (MutableRecordBatch batch : records.batches()) {
      if (isTooLarge(batch)) {
        return replaced(records);
      }
    }
    return records;
  }

  private boolean isTooLarge(MutableRecordBatch batch) {
    return batch instanceof DefaultRecordBatch sized
        && DecompressedSize.exceeds(sized, maxBatchBytes, maxRecordBytes);
  }

  private MemoryRecords replaced(MemoryRecords records) {
    int bytes = 0;
    for (MutableRecordBatch batch : records.batches()) {
      bytes += Math.max(batch.sizeInBytes(), OversizedBatch.MARKER_BYTES);
    }
    ByteBuffer into = ByteBuffer.allocate(bytes);
    for (MutableRecordBatch batch : records.batches()) {
      if (isTooLarge(batch)) {
        OversizedBatch.writeMarker(into, batch);
      } else {
        batch.writeTo(into);
      }
    }
    return MemoryRecords.readableRecords(into.flip());
  }
}
