package io.weir.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;

/**
 * How large a batch's records are when decompressed. Most batches are known to be small enough by
 * the headers of their compressed blocks; any other is decompressed piece by piece, and no further
 * than to the limit.
 */
final class DecompressedSize {
  /** DEFLATE writes at most 258 bytes for two bits: 1,032 for one byte. */
  private static final int MOST_OF_GZIP = 1032;

  /** Snappy writes at most 64 bytes for three. */
  private static final int MOST_OF_SNAPPY = 22;

  private static final int PIECE_BYTES = 16 * 1024;

  private DecompressedSize() {}

  /** Whether it is larger, or cannot be decompressed at all. */
  static boolean exceeds(DefaultRecordBatch batch, int limit) {
    return mostBytes(batch) > limit && countedExceeds(batch, limit);
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

  private static boolean countedExceeds(DefaultRecordBatch batch, int limit) {
    byte[] piece = new byte[PIECE_BYTES];
    long counted = 0;
    try (InputStream in = batch.recordInputStream(BufferSupplier.NO_CACHING)) {
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        counted += read;
        if (counted > limit) {
          return true;
        }
      }
      return false;
    } catch (IOException | KafkaException e) {
      return true;
    }
  }
}
