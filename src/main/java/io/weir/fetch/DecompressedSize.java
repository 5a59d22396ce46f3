package io.weir.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * How large a batch's records are when decompressed. Most batches are known to be small enough by
 * the headers of their compressed blocks; any other is decompressed piece by piece, and no further
 * than to the limits.
 */
final class DecompressedSize {
  /** DEFLATE writes at most 258 bytes for two bits: 1,032 for one byte. */
  private static final int MOST_OF_GZIP = 1032;

  /** Snappy writes at most 64 bytes for three. */
  private static final int MOST_OF_SNAPPY = 22;

  private static final int PIECE_BYTES = 16 * 1024;

  private DecompressedSize() {}

  /** Whether all its records, or one of them, are larger; or cannot be decompressed at all. */
  static boolean exceeds(DefaultRecordBatch batch, int maxBytes, int maxRecordBytes) {
    return mostBytes(batch) > Math.min(maxBytes, maxRecordBytes)
        && walkedExceeds(batch, maxBytes, maxRecordBytes);
  }

  private static long mostBytes(DefaultRecordBatch batch) {
    long compressed = batch.sizeInBytes() - DefaultRecordBatch.RECORD_BATCH_OVERHEAD;
    return switch (batch.compressionType()) {
      case NONE -> compressed;
      case GZIP -> compressed * MOST_OF_GZIP;
      case SNAPPY -> compressed * MOST_OF_SNAPPY;
      case LZ4, ZSTD -> mostBytesByBlocks(batch);
    };
  }

  private static long mostBytesByBlocks(DefaultRecordBatch batch) {
    ByteBuffer bytes = ByteBuffer.allocate(batch.sizeInBytes());
    batch.writeTo(bytes);
    bytes.flip().position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD).order(ByteOrder.LITTLE_ENDIAN);
    try {
      return switch (batch.compressionType()) {
        case ZSTD -> CompressedBlocks.mostBytesOfZstd(bytes);
        default -> CompressedBlocks.mostBytesOfLz4(bytes);
      };
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return CompressedBlocks.UNKNOWN;
    }
  }

  private static boolean walkedExceeds(DefaultRecordBatch batch, int maxBytes, int maxRecordBytes) {
    byte[] piece = new byte[PIECE_BYTES];
    long bytes = 0;
    try (InputStream in = batch.recordInputStream(BufferSupplier.NO_CACHING)) {
      for (int record = 0; record < batch.countOrNull(); record++) {
        int recordBytes = ByteUtils.readVarint(in);
        bytes += recordBytes;
        if (recordBytes < 0 || recordBytes > maxRecordBytes || bytes > maxBytes) {
          return true;
        }
        for (int left = recordBytes; left > 0; ) {
          int read = in.read(piece, 0, Math.min(left, PIECE_BYTES));
          if (read < 0) {
            return true;
          }
          left -= read;
        }
      }
      return false;
    } catch (IOException | RuntimeException e) {
      return true;
    }
  }
}
