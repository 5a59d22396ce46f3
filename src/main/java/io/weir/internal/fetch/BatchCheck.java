package io.weir.internal.fetch;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;

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

  /**
   * The decompressed size of a batch's records. For most batches the headers of the compressed
   * blocks show that they are small enough; others are decompressed in pieces, up to the limits.
   */
  static final class DecompressedSize {
    /** DEFLATE writes at most 258 bytes for two bits: 1,032 for one byte. */
    private static final int MOST_OF_GZIP = 1032;

    /** Java reads members recursively, so that many of them cause a StackOverflowError. */
    private static final int MOST_GZIP_MEMBERS = 16;

    /**
     * A batch that may be larger is decompressed: headers of two bytes use fifty times as much
     * memory.
     */
    private static final int MOST_UNSEEN_BYTES = 1 << 20;

    /** Snappy writes a twentieth at the least, so that 1 MiB, which Kafka takes, is 20. */
    private static final int MOST_OF_SNAPPY = 32 << 20;

    private DecompressedSize() {}

    /**
     * Whether the records together, or one of them, exceed the limits or cannot be decompressed.
     * Headers count with their memory.
     */
    static boolean exceeds(DefaultRecordBatch batch, int maxBytes, int maxRecordBytes) {
      long most = mostBytes(batch);
      boolean isRefused =
          switch (batch.compressionType()) {
            case GZIP -> hasManyMembers(batch);
            // The library allocates the size in a chunk's header.
            case SNAPPY -> most > Math.min(maxBytes, MOST_OF_SNAPPY);
            default -> false;
          };
      return isRefused
          || most > Math.min(MOST_UNSEEN_BYTES, Math.min(maxBytes, maxRecordBytes))
              && walkedExceeds(batch, maxBytes, maxRecordBytes);
    }

    /** More member headers than occur by chance; a producer writes one. */
    private static boolean hasManyMembers(DefaultRecordBatch batch) {
      ByteBuffer bytes = bytesOf(batch);
      int members = 0;
      for (int at = bytes.position(); at + 2 < bytes.limit(); at++) {
        if (bytes.get(at) == 0x1f && bytes.get(at + 1) == (byte) 0x8b && bytes.get(at + 2) == 8) {
          members++;
        }
      }
      return members > MOST_GZIP_MEMBERS;
    }

    private static long mostBytes(DefaultRecordBatch batch) {
      long compressed = batch.sizeInBytes() - DefaultRecordBatch.RECORD_BATCH_OVERHEAD;
      return switch (batch.compressionType()) {
        case NONE -> compressed;
        case GZIP -> compressed * MOST_OF_GZIP;
        case SNAPPY, LZ4, ZSTD -> mostBytesByBlocks(batch);
      };
    }

    private static long mostBytesByBlocks(DefaultRecordBatch batch) {
      ByteBuffer bytes = bytesOf(batch).order(ByteOrder.LITTLE_ENDIAN);
      try {
        return switch (batch.compressionType()) {
          case ZSTD -> CompressedBlocks.mostBytesOfZstd(bytes);
          case SNAPPY -> CompressedBlocks.mostBytesOfSnappy(bytes);
          default -> CompressedBlocks.mostBytesOfLz4(bytes);
        };
      } catch (BufferUnderflowException e) {
        return CompressedBlocks.UNKNOWN;
      }
    }

    /** Its records, compressed. */
    private static ByteBuffer bytesOf(DefaultRecordBatch batch) {
      ByteBuffer bytes = ByteBuffer.allocate(batch.sizeInBytes());
      batch.writeTo(bytes);
      return bytes.flip().position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
    }

    private static boolean walkedExceeds(
        DefaultRecordBatch batch, int maxBytes, int maxRecordBytes) {
      long bytes = 0;
      try (RecordWalk walk = new RecordWalk(batch.recordInputStream(BufferSupplier.NO_CACHING))) {
        for (int record = 0; record < batch.countOrNull(); record++) {
          bytes += walk.next(Math.min(maxRecordBytes, maxBytes - bytes));
          if (bytes > maxBytes) {
            return true;
          }
        }
        return false;
      } catch (IOException | RuntimeException e) {
        return true;
      } catch (VirtualMachineError | LinkageError e) {
        throw e;
      } catch (Error snappy) { // An Error of the snappy library.
        return true;
      }
    }
  }
}
