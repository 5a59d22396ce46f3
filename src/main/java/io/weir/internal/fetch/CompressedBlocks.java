package io.weir.internal.fetch;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The maximum decompressed size of data by the headers of its blocks, without decompression.
 * Buffers are little endian and read to their end.
 */
final class CompressedBlocks {
  /** The headers are unknown. */
  static final long UNKNOWN = Long.MAX_VALUE;

  private static final int ZSTD_FRAME = 0xFD2FB528;
  private static final int SKIPPABLE_FRAME = 0x184D2A50;
  private static final int LZ4_FRAME = 0x184D2204;

  /** 82 and SNAPPY 00. */
  private static final long SNAPPY_HEADER = 0x82534E4150505900L;

  private static final int SNAPPY_HEADER_BYTES = 16;

  private static final int ZSTD_MOST_OF_BLOCK = 128 * 1024;
  private static final int[] ZSTD_DICTIONARY_ID_BYTES = {0, 1, 2, 4};
  private static final int[] ZSTD_CONTENT_SIZE_BYTES = {0, 2, 4, 8};

  private CompressedBlocks() {}

  /**
   * Of <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1">frames of Zstandard</a>.
   *
   * @throws BufferUnderflowException if the data is truncated
   */
  static long mostBytesOfZstd(ByteBuffer frames) {
    long bytes = 0;
    while (frames.hasRemaining()) {
      int magic = frames.getInt();
      if ((magic & ~0xf) == SKIPPABLE_FRAME) {
        skip(frames, Integer.toUnsignedLong(frames.getInt()));
      } else if (magic == ZSTD_FRAME) {
        long ofFrame = mostBytesOfZstdFrame(frames);
        if (ofFrame == UNKNOWN) {
          return UNKNOWN;
        }
        bytes += ofFrame;
      } else {
        return UNKNOWN;
      }
    }
    return bytes;
  }

  private static long mostBytesOfZstdFrame(ByteBuffer frame) {
    int descriptor = frame.get() & 0xff;
    boolean singleSegment = (descriptor & 0x20) != 0;
    boolean checksum = (descriptor & 0x04) != 0;
    int sizeFlag = descriptor >>> 6;
    skip(frame, ZSTD_DICTIONARY_ID_BYTES[descriptor & 0x03]);
    // The window's size where the frame is not a single segment, else a content size of one byte.
    skip(frame, singleSegment && sizeFlag != 0 ? 0 : 1);
    skip(frame, ZSTD_CONTENT_SIZE_BYTES[sizeFlag]);
    long bytes = 0;
    boolean last = false;
    while (!last) {
      int header = frame.getShort() & 0xffff | (frame.get() & 0xff) << 16;
      last = (header & 1) != 0;
      int size = header >>> 3;
      switch (header >>> 1 & 3) {
        case 0 -> {
          skip(frame, size);
          bytes += size;
        }
        case 1 -> {
          skip(frame, 1);
          bytes += size;
        }
        case 2 -> {
          skip(frame, size);
          bytes += ZSTD_MOST_OF_BLOCK;
        }
        default -> {
          return UNKNOWN;
        }
      }
    }
    skip(frame, checksum ? Integer.BYTES : 0);
    return bytes;
  }

  /**
   * Of <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md">a frame of LZ4</a>.
   *
   * @throws BufferUnderflowException if the data is truncated
   */
  static long mostBytesOfLz4(ByteBuffer frame) {
    if (frame.getInt() != LZ4_FRAME) {
      return UNKNOWN;
    }
    int flags = frame.get();
    int mostOfBlock = 1 << (8 + 2 * (frame.get() >>> 4 & 0x07));
    boolean blockChecksum = (flags & 0x10) != 0;
    skip(frame, (flags & 0x08) != 0 ? Long.BYTES : 0);
    skip(frame, (flags & 0x01) != 0 ? Integer.BYTES : 0);
    skip(frame, 1);
    long bytes = 0;
    for (int size = frame.getInt(); size != 0; size = frame.getInt()) {
      boolean stored = size < 0;
      int length = size & Integer.MAX_VALUE;
      skip(frame, length);
      skip(frame, blockChecksum ? Integer.BYTES : 0);
      bytes += stored ? length : mostOfBlock;
    }
    skip(frame, (flags & 0x04) != 0 ? Integer.BYTES : 0);
    return frame.hasRemaining() ? UNKNOWN : bytes;
  }

  /**
   * Of chunks of snappy-java, or of one block without a header, as librdkafka writes it.
   *
   * @throws BufferUnderflowException if the data is truncated
   */
  static long mostBytesOfSnappy(ByteBuffer chunks) {
    chunks.order(ByteOrder.BIG_ENDIAN);
    if (chunks.remaining() < SNAPPY_HEADER_BYTES
        || chunks.getLong(chunks.position()) != SNAPPY_HEADER) {
      return snappyLength(chunks);
    }
    skip(chunks, SNAPPY_HEADER_BYTES);
    long bytes = 0;
    while (chunks.hasRemaining()) {
      int length = chunks.getInt();
      int start = chunks.position();
      bytes += snappyLength(chunks);
      chunks.position(start);
      skip(chunks, length);
    }
    return bytes;
  }

  /** The decompressed size in a block's header. */
  private static long snappyLength(ByteBuffer block) {
    long length = 0;
    for (int shift = 0; shift < 5 * 7; shift += 7) {
      byte next = block.get();
      length |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return length;
      }
    }
    throw new BufferUnderflowException();
  }

  /** Never backwards: a length that does not advance the buffer would cause an endless loop. */
  private static void skip(ByteBuffer buffer, long bytes) {
    if (bytes < 0 || bytes > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    buffer.position(buffer.position() + (int) bytes);
  }
}
