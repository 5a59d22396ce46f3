package io.weir.internal.input.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.http.RefusedRequestException;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** Writes protobuf. A message within another has a length of five bytes. Not thread-safe. */
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int DELIMITED = 2;
  private static final int LENGTH_BYTES = 5;
  private static final int LONGEST_VARINT = 10;

  private final IntPredicate take;
  private byte[] bytes = new byte[256];
  private int length;

  /**
   * A writer.
   *
   * @param take asked before more memory is used
   */
  ProtoWriter(IntPredicate take) {
    this.take = take;
  }

  /**
   * Begins a message within this one.
   *
   * @return its place, for {@link #end}
   */
  int begin(int field) {
    varint((long) field << 3 | DELIMITED);
    room(LENGTH_BYTES);
    length += LENGTH_BYTES;
    return length;
  }

  void end(int place) {
    int left = length - place;
    for (int i = place - LENGTH_BYTES; i < place; i++) {
      bytes[i] = (byte) (left & 0x7f | (i < place - 1 ? 0x80 : 0));
      left >>>= 7;
    }
  }

  void varint(int field, long value) {
    varint((long) field << 3 | VARINT);
    varint(value);
  }

  void fixed64(int field, long value) {
    varint((long) field << 3 | FIXED64);
    room(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  void text(int field, String text) {
    delimited(field, text.getBytes(UTF_8));
  }

  void delimited(int field, byte[] value) {
    varint((long) field << 3 | DELIMITED);
    varint(value.length);
    room(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
  }

  private void varint(long value) {
    room(LONGEST_VARINT);
    long rest = value;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes[length++] = (byte) (rest | 0x80);
    }
    bytes[length++] = (byte) rest;
  }

  private void room(int more) {
    if (bytes.length - length >= more) {
      return;
    }
    long larger = Math.max(2L * bytes.length, (long) length + more);
    if (larger > Integer.MAX_VALUE - 8 || !take.test((int) larger - bytes.length)) {
      throw new RefusedRequestException(503, "too many bytes of requests in flight");
    }
    bytes = Arrays.copyOf(bytes, (int) larger);
  }

  /** What is written; not a copy. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  byte[] copy() {
    return Arrays.copyOf(bytes, length);
  }
}
