package io.weir.internal.input;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The parts of a series as bytes that no other series of its source has. Not thread-safe. */
public final class SeriesKey {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private byte[] bytes = new byte[256];
  private int length;

  public void clear() {
    length = 0;
  }

  /** Adds a part. */
  public void add(byte[] from, int start, int end) {
    int more = end - start;
    add(more);
    System.arraycopy(from, start, room(more), length, more);
    length += more;
  }

  /** Adds a number. */
  public void add(int number) {
    INT.set(room(Integer.BYTES), length, number);
    length += Integer.BYTES;
  }

  private byte[] room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
    return bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Forgets what was added behind a length. */
  public void cut(int to) {
    length = to;
  }

  long hash() {
    long hash = length;
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      hash = mixed(hash ^ (long) LONG.get(bytes, at));
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = rest << Byte.SIZE | bytes[at] & 0xff;
    }
    return mixed(hash ^ rest);
  }

  private static long mixed(long value) {
    long product = value * MULTIPLIER;
    return product ^ product >>> 32;
  }
}
