package io.weir.reading;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Functions of ids as bytes of a record, eight bytes at a time: an id of 16 bytes costs a few
 * nanoseconds. Stateless.
 */
public final class IdBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;

  private IdBytes() {}

  /**
   * A keyed hash for tables in memory: senders cannot choose ids that collide. Do not persist it,
   * because every process has a different key.
   */
  public static int hash(byte[] bytes, int offset, int length) {
    return (int) SipHash.hash(bytes, offset, length);
  }

  /** Whether two ranges of the same length are equal. */
  public static boolean equal(
      byte[] one, int oneOffset, byte[] other, int otherOffset, int length) {
    if (length < Long.BYTES) {
      return equalShort(one, oneOffset, other, otherOffset, length);
    }
    int last = length - Long.BYTES;
    for (int at = 0; at < last; at += Long.BYTES) {
      if ((long) LONG.get(one, oneOffset + at) != (long) LONG.get(other, otherOffset + at)) {
        return false;
      }
    }
    return (long) LONG.get(one, oneOffset + last) == (long) LONG.get(other, otherOffset + last);
  }

  private static boolean equalShort(
      byte[] one, int oneOffset, byte[] other, int otherOffset, int length) {
    if (length >= Integer.BYTES) {
      int last = length - Integer.BYTES;
      return (int) INT.get(one, oneOffset) == (int) INT.get(other, otherOffset)
          && (int) INT.get(one, oneOffset + last) == (int) INT.get(other, otherOffset + last);
    }
    for (int at = 0; at < length; at++) {
      if (one[oneOffset + at] != other[otherOffset + at]) {
        return false;
      }
    }
    return true;
  }

  /** Whether all are ASCII, and so UTF-8. */
  public static boolean isAscii(byte[] bytes, int offset, int length) {
    if (length < Integer.BYTES) {
      for (int at = offset; at < offset + length; at++) {
        if (bytes[at] < 0) {
          return false;
        }
      }
      return true;
    }
    if (length < Long.BYTES) {
      int both =
          (int) INT.get(bytes, offset) | (int) INT.get(bytes, offset + length - Integer.BYTES);
      return (both & (int) HIGH_BITS) == 0;
    }
    int last = offset + length - Long.BYTES;
    long high = (long) LONG.get(bytes, last);
    for (int at = offset; at < last; at += Long.BYTES) {
      high |= (long) LONG.get(bytes, at);
    }
    return (high & HIGH_BITS) == 0;
  }
}
