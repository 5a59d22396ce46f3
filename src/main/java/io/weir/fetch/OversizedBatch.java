package io.weir.fetch;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * What is in a batch's place that was not decompressed: one record without key and value at the
 * batch's last offset, with a header that says which offsets it stands for.
 *
 * @param firstOffset of the batch
 * @param lastOffset of the batch
 */
public record OversizedBatch(long firstOffset, long lastOffset) {
  /** No marker is larger. */
  static final int MARKER_BYTES = 256;

  private static final String HEADER = "weir.oversized-batch";
  private static final int HEADER_BYTES = 2 * Long.BYTES;

  /** The batch that a record stands for; a sender that forges one affects its own record only. */
  public static Optional<OversizedBatch> of(byte[] value, Headers headers) {
    Header header = value == null ? headers.lastHeader(HEADER) : null;
    if (header == null || header.value() == null || header.value().length != HEADER_BYTES) {
      return Optional.empty();
    }
    ByteBuffer numbers = ByteBuffer.wrap(header.value());
    return Optional.of(new OversizedBatch(numbers.getLong(), numbers.getLong()));
  }

  /** What became of it, in a line. */
  public String describe() {
    return "the records at offsets "
        + firstOffset
        + " to "
        + lastOffset
        + " are larger than weir.max.decompressed.bytes or four times weir.max.record.bytes when"
        + " decompressed, or cannot be decompressed";
  }

  static void writeMarker(ByteBuffer into, RecordBatch batch) {
    byte[] numbers =
        ByteBuffer.allocate(HEADER_BYTES)
            .putLong(batch.baseOffset())
            .putLong(batch.lastOffset())
            .array();
    try (MemoryRecordsBuilder marker =
        MemoryRecords.builder(
            ByteBuffer.allocate(MARKER_BYTES),
            RecordBatch.CURRENT_MAGIC_VALUE,
            Compression.NONE,
            batch.timestampType(),
            batch.lastOffset(),
            batch.maxTimestamp(),
            batch.producerId(),
            batch.producerEpoch(),
            batch.baseSequence(),
            batch.isTransactional(),
            batch.partitionLeaderEpoch())) {
      marker.appendWithOffset(
          batch.lastOffset(),
          batch.maxTimestamp(),
          (byte[]) null,
          null,
          new Header[] {new RecordHeader(HEADER, numbers)});
      into.put(marker.build().buffer());
    }
  }
}
