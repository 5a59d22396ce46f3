package io.weir.internal.wire;

import com.google.protobuf.WireFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the fields of a protobuf message without copies: tags, numbers, lengths. Accepts and
 * rejects the same bytes as protobuf-java's own reader of arrays (<a
 * href="https://protobuf.dev/programming-guides/encoding/">the encoding</a>). Not safe for several
 * threads.
 */
public final class FieldReader {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The bit of each byte of a varint that says whether another one follows. */
  private static final long CONTINUATIONS = 0x8080808080808080L;

  private static final int MAX_DEPTH = 16;
  private static final int LONGEST_VARINT = 10;

  private byte[] bytes;
  private int position;
  private int limit;

  /** Starts to read a message from an offset to the end. */
  void start(byte[] record, int offset) {
    start(record, offset, record.length);
  }

  /** Starts to read a message between two offsets. */
  public void start(byte[] record, int from, int to) {
    bytes = record;
    position = from;
    limit = to;
  }

  public int position() {
    return position;
  }

  /** Whether the message, or the part entered last, is read completely. */
  public boolean atEnd() {
    return position == limit;
  }

  /** Number of its remaining bytes. */
  int left() {
    return limit - position;
  }

  /**
   * Reads a length and limits reading to that number of bytes.
   *
   * @return the previous limit, for {@link #leave}
   */
  public int enter() throws UndecodableException {
    int length = length();
    int outer = limit;
    limit = position + length;
    return outer;
  }

  public void leave(int outer) {
    limit = outer;
  }

  /** The next field's tag; 0 at the end. */
  public int tag() throws UndecodableException {
    if (position == limit) {
      return 0;
    }
    int tag = varint32();
    if (tag >>> 3 == 0) {
      throw UndecodableException.malformed("not protobuf: a field with the number 0");
    }
    return tag;
  }

  /** A length within the remaining bytes. */
  public int length() throws UndecodableException {
    int length = varint32();
    if (length < 0 || length > limit - position) {
      throw breaksOff();
    }
    return length;
  }

  /** Skips a {@link #length}. */
  public void step(int length) {
    position += length;
  }

  public int varint32() throws UndecodableException {
    if (position < limit && bytes[position] >= 0) {
      return bytes[position++];
    }
    int value = (int) longVarint();
    if (bytes[position - 1] < 0) {
      throw tooLong();
    }
    return value;
  }

  /** Like protobuf-java, ends at the tenth byte even if its continuation bit is set. */
  public long varint64() throws UndecodableException {
    if (position < limit && bytes[position] >= 0) {
      return bytes[position++];
    }
    long value = longVarint();
    if (bytes[position - 1] < 0 && value >= 0) {
      throw tooLong();
    }
    return value;
  }

  private long longVarint() throws UndecodableException {
    if (limit - position >= Long.BYTES) {
      long word = (long) LONG.get(bytes, position);
      long ends = ~word & CONTINUATIONS;
      if (ends != 0) {
        position += (Long.numberOfTrailingZeros(ends) >>> 3) + 1;
        return packed(word & (ends ^ (ends - 1)));
      }
    }
    return longestVarint();
  }

  /** Closes the gaps of the continuation bits, in pairs, then in pairs of pairs, and again. */
  private static long packed(long word) {
    long sevens = word & ~CONTINUATIONS;
    long fourteens = (sevens & 0x007f007f007f007fL) | (sevens & 0x7f007f007f007f00L) >>> 1;
    long halves = (fourteens & 0x00003fff00003fffL) | (fourteens & 0x3fff00003fff0000L) >>> 2;
    return (halves & 0x000000000fffffffL) | (halves & 0x0fffffff00000000L) >>> 4;
  }

  private long longestVarint() throws UndecodableException {
    long value = 0;
    int longest = Math.min(limit, position + LONGEST_VARINT);
    int shift = 0;
    for (int at = position; at < longest; at++) {
      long read = bytes[at];
      value |= (read & 0x7f) << shift;
      shift += 7;
      if (read >= 0 || shift == 7 * LONGEST_VARINT) {
        position = at + 1;
        return value;
      }
    }
    throw breaksOff();
  }

  static long zigzag(long number) {
    return (number >>> 1) ^ -(number & 1);
  }

  public long fixed64() throws UndecodableException {
    if (limit - position < Long.BYTES) {
      throw breaksOff();
    }
    long value = (long) LONG.get(bytes, position);
    position += Long.BYTES;
    return value;
  }

  public int fixed32() throws UndecodableException {
    if (limit - position < Integer.BYTES) {
      throw breaksOff();
    }
    int value = (int) INT.get(bytes, position);
    position += Integer.BYTES;
    return value;
  }

  public double fixedDouble() throws UndecodableException {
    return Double.longBitsToDouble(fixed64());
  }

  /** Skips a field with an unknown tag. */
  public void skip(int tag) throws UndecodableException {
    skip(tag, 0);
  }

  private void skip(int tag, int depth) throws UndecodableException {
    switch (WireFormat.getTagWireType(tag)) {
      case WireFormat.WIRETYPE_VARINT -> varint32();
      case WireFormat.WIRETYPE_FIXED64 -> fixed64();
      case WireFormat.WIRETYPE_LENGTH_DELIMITED -> step(length());
      case WireFormat.WIRETYPE_START_GROUP -> skipGroup(tag >>> 3, depth + 1);
      case WireFormat.WIRETYPE_FIXED32 -> fixed32();
      case WireFormat.WIRETYPE_END_GROUP ->
          throw UndecodableException.malformed(
              "not protobuf: the end of a group without " + "its start");
      default ->
          throw UndecodableException.malformed("not protobuf: a field with an unknown wire type");
    }
  }

  private void skipGroup(int number, int depth) throws UndecodableException {
    if (depth > MAX_DEPTH) {
      throw UndecodableException.malformed(
          "not protobuf: groups deeper than the " + MAX_DEPTH + " allowed");
    }
    int end = number << 3 | WireFormat.WIRETYPE_END_GROUP;
    for (int tag = tag(); tag != end; tag = tag()) {
      if (tag == 0) {
        throw UndecodableException.malformed("not protobuf: a group does not end");
      }
      skip(tag, depth);
    }
  }

  private static UndecodableException tooLong() {
    return UndecodableException.malformed("not protobuf: a number of more than 10 bytes");
  }

  private static UndecodableException breaksOff() {
    return UndecodableException.malformed("not protobuf: truncated within a field");
  }
}
