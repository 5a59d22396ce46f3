package io.weir.lab.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A hash of an id, eight bytes at a time. */
public final class BytesHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LENGTH_FACTOR = 0x9E3779B97F4A7C15L;
  private static final long FACTOR = 0xD6E8FEB86659FD93L;

  private BytesHash() {}

  public static int of(byte[] bytes, int from, int length) {
    long hash = length * LENGTH_FACTOR;
    int end = from + length;
    if (length >= Long.BYTES) {
      for (int at = from; at < end - Long.BYTES; at += Long.BYTES) {
        hash = (hash ^ (long) LONG.get(bytes, at)) * FACTOR;
        hash ^= hash >>> 32;
      }
      hash = (hash ^ (long) LONG.get(bytes, end - Long.BYTES)) * FACTOR;
    } else {
      for (int at = from; at < end; at++) {
        hash = (hash ^ bytes[at]) * FACTOR;
      }
    }
    hash ^= hash >>> 32;
    return (int) (hash ^ hash >>> 15);
  }
}
