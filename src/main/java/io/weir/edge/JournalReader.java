package io.weir.edge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a segment's records in their order. What is damaged is skipped up to the next whole record,
 * and counted; what is torn at the end is no record. For one thread.
 */
final class JournalReader implements AutoCloseable {
  private static final int CHUNK_BYTES = 256 * 1024;

  private final FileChannel channel;
  private ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES).limit(0);

  /** Where in the file the buffer begins. */
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

  /** Where the record that was read last begins. */
  long recordOffset() {
    return recordOffset;
  }

  /** Where the next record begins. */
  long offset() {
    return bufferOffset + buffer.position();
  }

  /** How many stretches were damaged so far that have a whole record behind them. */
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

  /** Whether so many bytes follow; reads more where they are not in the buffer yet. */
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
