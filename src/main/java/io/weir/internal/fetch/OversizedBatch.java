package io.weir.internal.fetch;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Optional;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Replaces a batch that was not decompressed: one record without key and value at the batch's last
 * offset, with a header that has the range of replaced offsets.
 *
 * @param firstOffset of the batch
 * @param lastOffset of the batch
 * @param withoutValue number of replaced records without value, between other records that were
 *     returned; 0 if it replaces a batch
 */
public record OversizedBatch(long firstOffset, long lastOffset, int withoutValue) {
  /** Maximum size of a marker. */
  static final int MARKER_BYTES = 256;

  private static final String HEADER = "weir.oversized-batch";
  private static final int HEADER_BYTES = 3 * Long.BYTES + Integer.BYTES;

  /** Nobody else knows it, so only this process can write its markers. */
  private static final long SECRET = new SecureRandom().nextLong();

  /** Replaces all records between the offsets. */
  OversizedBatch(long firstOffset, long lastOffset) {
    this(firstOffset, lastOffset, 0);
  }

  /** The batch that a record replaces; empty for a record that a sender made look like it. */
  public static Optional<OversizedBatch> of(byte[] value, Headers headers) {
    Header header = value == null ? headers.lastHeader(HEADER) : null;
    if (header == null || header.value() == null || header.value().length != HEADER_BYTES) {
      return Optional.empty();
    }
    ByteBuffer numbers = ByteBuffer.wrap(header.value());
    if (numbers.getLong() != SECRET) {
      return Optional.empty();
    }
    return Optional.of(new OversizedBatch(numbers.getLong(), numbers.getLong(), numbers.getInt()));
  }

  /** Describes the replacement in a line. */
  public String describe() {
    if (withoutValue > 0) {
      return withoutValue
          + " records without value, at the offsets "
          + firstOffset
          + " to "
          + lastOffset;
    }
    return "the records at offsets "
        + firstOffset
        + " to "
        + lastOffset
        + " are larger than weir.max.decompressed.bytes or four times weir.max.record.bytes when"
        + " decompressed, or cannot be decompressed";
  }

  /** Writes a marker that replaces a batch. */
  static void writeMarker(ByteBuffer into, RecordBatch batch) {
    into.put(marker(new OversizedBatch(batch.baseOffset(), batch.lastOffset()), batch).buffer());
  }

  /** A marker at its last offset, which is in the batch. */
  static Record marker(RecordBatch batch, OversizedBatch what) {
    return marker(what, batch).records().iterator().next();
  }

  private static MemoryRecords marker(OversizedBatch what, RecordBatch batch) {
    byte[] numbers =
        ByteBuffer.allocate(HEADER_BYTES)
            .putLong(SECRET)
            .putLong(what.firstOffset)
            .putLong(what.lastOffset)
            .putInt(what.withoutValue)
            .array();
    try (MemoryRecordsBuilder marker =
        MemoryRecords.builder(
            ByteBuffer.allocate(MARKER_BYTES),
            RecordBatch.CURRENT_MAGIC_VALUE,
            Compression.NONE,
            batch.timestampType(),
            what.lastOffset,
            batch.maxTimestamp(),
            batch.producerId(),
            batch.producerEpoch(),
            batch.baseSequence(),
            batch.isTransactional(),
            batch.partitionLeaderEpoch())) {
      marker.appendWithOffset(
          what.lastOffset,
          batch.maxTimestamp(),
          (byte[]) null,
          null,
          new Header[] {new RecordHeader(HEADER, numbers)});
      return marker.build();
    }
  }
}
