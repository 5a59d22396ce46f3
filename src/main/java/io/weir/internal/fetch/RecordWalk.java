package io.weir.internal.fetch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.kafka.common.InvalidRecordException;

/**
 * Parses the records of a batch one by one without storing them; rejects invalid records. Not
 * thread-safe.
 */
final class RecordWalk implements AutoCloseable {
  /** Memory of a header besides its bytes. */
  static final long HEADER_COST = 128;

  private static final int PIECE_BYTES = 16 * 1024;
  private static final int LONGEST_VARINT = 10;

  private final InputStream in;
  private final byte[] piece = new byte[PIECE_BYTES];

  /** Read position and end of the data in the buffer. */
  private int at;

  private int end;

  /** Remaining bytes of the record. */
  private long left;

  /**
   * @param in the decompressed records
   */
  RecordWalk(InputStream in) {
    this.in = in;
  }

  /**
   * Skips a record.
   *
   * @param most its maximum cost
   * @return its cost: its bytes, and {@link #HEADER_COST} per header
   * @throws IOException or InvalidRecordException if it costs more or is invalid
   */
  long next(long most) throws IOException {
    left = LONGEST_VARINT;
    long size = varint();
    if (size < 0 || size > most) {
      throw new InvalidRecordException("a record of " + size + " bytes; expected: at most " + most);
    }
    left = size;
    skip(1);
    varint();
    varint();
    skip(Math.max(0, varint()));
    skip(Math.max(0, varint()));
    long ofHeaders = Math.multiplyExact(HEADER_COST, Math.max(0, varint()));
    long cost = Math.addExact(1 + size, ofHeaders);
    if (cost > most) {
      throw new InvalidRecordException("a record with headers that cost " + cost);
    }
    skip(left);
    return cost;
  }

  /** Zigzag, as the lengths of a record are. */
  private long varint() throws IOException {
    long number = 0;
    for (int shift = 0; shift < 7 * LONGEST_VARINT; shift += 7) {
      if (at == end) {
        fill();
      }
      byte read = piece[at++];
      left--;
      number |= (read & 0x7fL) << shift;
      if (read >= 0) {
        require(left >= 0);
        return (number >>> 1) ^ -(number & 1);
      }
    }
    throw new InvalidRecordException("a length without an end");
  }

  private void skip(long bytes) throws IOException {
    require(bytes <= left);
    left -= bytes;
    for (long rest = bytes; rest > 0; ) {
      if (at == end) {
        fill();
      }
      int step = (int) Math.min(rest, end - at);
      at += step;
      rest -= step;
    }
  }

  private static void require(boolean within) {
    if (!within) {
      throw new InvalidRecordException("a field is longer than its record");
    }
  }

  private void fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(piece, 0, PIECE_BYTES));
    if (end == 0) {
      throw new EOFException("the records are truncated");
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
