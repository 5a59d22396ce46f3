package io.weir.fetch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.kafka.common.InvalidRecordException;

/**
 * Goes through the records of a batch, one after the other, and keeps nothing of them. What it
 * finds to be no record it refuses. One thread.
 */
final class RecordWalk implements AutoCloseable {
  /** What a header costs in memory beside its bytes. */
  static final long HEADER_COST = 128;

  private static final int PIECE_BYTES = 16 * 1024;
  private static final int LONGEST_VARINT = 10;

  private final InputStream in;
  private final byte[] piece = new byte[PIECE_BYTES];

  /** Where in the piece reading goes on, and where what was read into it ends. */
  private int at;

  private int end;

  /** What is left of the record. */
  private long left;

  /**
   * @param in the decompressed records
   */
  RecordWalk(InputStream in) {
    this.in = in;
  }

  /**
   * Steps over a record.
   *
   * @param most it may cost
   * @return what it costs: its bytes, and for each of its headers {@link #HEADER_COST}
   * @throws IOException or InvalidRecordException if it costs more, or is none
   */
  long next(long most) throws IOException {
    left = LONGEST_VARINT;
    long size = varint();
    if (size < 0 || size > most) {
      throw new InvalidRecordException("a record of " + size + " bytes, allowed " + most);
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
      throw new EOFException("the records break off");
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
