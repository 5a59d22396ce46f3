package io.weir.reading;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * SipHash-1-3 with a random key of this process: a sender that does not know the key cannot choose
 * ids that collide. Reads eight bytes at a time; stateless. The function is that of <a
 * href="https://www.aumasson.jp/siphash/siphash.pdf">Aumasson and Bernstein</a>, with one round a
 * word and three at the end, as Rust and Python hash their maps.
 */
final class SipHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long KEY_0;
  private static final long KEY_1;

  static {
    SecureRandom random = new SecureRandom();
    KEY_0 = random.nextLong();
    KEY_1 = random.nextLong();
  }

  private SipHash() {}

  /** The hash with this process's key. */
  static long hash(byte[] bytes, int offset, int length) {
    return hash(KEY_0, KEY_1, bytes, offset, length);
  }

  static long hash(long key0, long key1, byte[] bytes, int offset, int length) {
    long v0 = key0 ^ 0x736f6d6570736575L;
    long v1 = key1 ^ 0x646f72616e646f6dL;
    long v2 = key0 ^ 0x6c7967656e657261L;
    long v3 = key1 ^ 0x7465646279746573L;
    int end = offset + (length & ~7);
    for (int at = offset; at < end; at += Long.BYTES) {
      long word = (long) LONG.get(bytes, at);
      v3 ^= word;
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32) + v3;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
      v0 ^= word;
    }
    long last = lastWord(bytes, end, length);
    v3 ^= last;
    v0 += v1;
    v2 += v3;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 = Long.rotateLeft(v0, 32) + v3;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 = Long.rotateLeft(v2, 32);
    v0 ^= last;
    v2 ^= 0xff;
    for (int round = 0; round < 3; round++) {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32) + v3;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** The bytes after the last complete word, with the length above them. */
  private static long lastWord(byte[] bytes, int from, int length) {
    int count = length & 7;
    long word = (long) length << 56;
    if (count == 0) {
      return word;
    }
    if (length >= Long.BYTES) {
      return word | (long) LONG.get(bytes, from + count - Long.BYTES) >>> (64 - 8 * count);
    }
    for (int i = 0; i < count; i++) {
      word |= (bytes[from + i] & 0xffL) << (8 * i);
    }
    return word;
  }
}
