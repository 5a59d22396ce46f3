package io.weir.internal.store;

import java.util.Arrays;

/**
 * Bytes that grow, with protobuf's varints: a column of a record of changes. Not safe for several
 * threads.
 */
final class ByteColumn {
  private static final int MOST_VARINT_BYTES = 10;

  private byte[] bytes = new byte[1024];
  private int size;

  int size() {
    return size;
  }

  /** The bytes of its content, from index 0 on; until the next write. */
  byte[] array() {
    return bytes;
  }

  /** Makes room for bytes that {@link #array} then gets from outside; {@link #advance} follows. */
  byte[] room(int most) {
    if (bytes.length - size < most) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + most));
    }
    return bytes;
  }

  /** Takes over bytes that were put behind its content. */
  void advance(int written) {
    size += written;
  }

  void put(int oneByte) {
    room(1)[size++] = (byte) oneByte;
  }

  void put(byte[] from, int offset, int length) {
    System.arraycopy(from, offset, room(length), size, length);
    size += length;
  }

  void putVarint(long value) {
    byte[] into = room(MOST_VARINT_BYTES);
    int at = size;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      into[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    into[at++] = (byte) rest;
    size = at;
  }

  /** A number of either sign, the short ones near 0. */
  void putZigzag(long value) {
    putVarint((value << 1) ^ (value >> 63));
  }

  void putFixed64(long value) {
    byte[] into = room(Long.BYTES);
    for (int i = 0; i < Long.BYTES; i++) {
      into[size++] = (byte) (value >>> (8 * i));
    }
  }

  void clear() {
    size = 0;
  }
}
