package io.weir.edge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a segment's records in their order. Damaged bytes are counted and skipped up to the next
 * valid record; a torn record at the end is ignored. Not thread-safe.
 */
final class JournalReader implements AutoCloseable {
  private static final int CHUNK_BYTES = 256 * 1024;

  private final FileChannel channel;
  private ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES).limit(0);

  /** File offset of the buffer. */
  private long bufferOffset;

  private long recordOffset;
  private long damagedAt = -1;
  private int damages;

  private JournalReader(FileChannel channel, long offset) {
    this.channel = channel;
    this.bufferOffset = offset;
  }

  static JournalReader open(Path segment, long offset) throws IOException {
    return new JournalReader(FileChannel.open(segment, StandardOpenOption.READ), offset);
  }

  /** The payload of the next whole record; null at the end. */
  ByteBuffer next() throws IOException {
    while (have(JournalRecords.HEADER_BYTES)) {
      int start = buffer.position();
      if (buffer.getInt(start) == JournalRecords.MAGIC) {
        int bytes = buffer.getInt(start + Integer.BYTES);
        if (bytes > 0
            && bytes <= JournalRecords.MAX_PAYLOAD_BYTES
            && have(JournalRecords.HEADER_BYTES + bytes)) {
          ByteBuffer payload = payload(bytes);
          if (JournalRecords.crc(payload) == buffer.getInt(buffer.position() + 2 * Integer.BYTES)) {
            recordOffset = offset();
            buffer.position(buffer.position() + JournalRecords.HEADER_BYTES + bytes);
            if (damagedAt >= 0) {
              damages++;
            }
            damagedAt = -1;
            return payload;
          }
        }
      }
      damagedAt = damagedAt < 0 ? offset() : damagedAt;
      buffer.position(buffer.position() + 1);
    }
    return null;
  }

  /** File offset of the last record. */
  long recordOffset() {
    return recordOffset;
  }

  /** File offset of the next record. */
  long offset() {
    return bufferOffset + buffer.position();
  }

  /** Number of damaged ranges so far that precede a valid record. */
  int damages() {
    return damages;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private ByteBuffer payload(int bytes) {
    return buffer.slice(buffer.position() + JournalRecords.HEADER_BYTES, bytes);
  }

  /** Whether this many bytes follow; fills the buffer if necessary. */
  private boolean have(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return true;
    }
    ByteBuffer larger = ByteBuffer.allocate(Math.max(CHUNK_BYTES, bytes));
    bufferOffset = offset();
    larger.put(buffer);
    buffer = larger;
    int read = 0;
    while (buffer.hasRemaining() && read >= 0) {
      read = channel.read(buffer, bufferOffset + buffer.position());
    }
    buffer.flip();
    return buffer.remaining() >= bytes;
  }
}
