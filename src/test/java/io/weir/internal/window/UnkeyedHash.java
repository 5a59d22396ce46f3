package io.weir.internal.window;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A hash of ids without a key, and ids of 16 bytes that collide under it. */
final class UnkeyedHash {
  private static final long MIX_1 = 0xff51afd7ed558ccdL;
  private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;

  private UnkeyedHash() {}

  static int hash(byte[] id) {
    ByteBuffer words = ByteBuffer.wrap(id).order(ByteOrder.LITTLE_ENDIAN);
    return (int) mix(mix(id.length * MIX_1 ^ words.getLong()) ^ words.getLong());
  }

  /** One id for each first word, all of one hash: the second word undoes the first. */
  static byte[] colliding(long firstWord) {
    return ByteBuffer.allocate(16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(firstWord)
        .putLong(mix(16 * MIX_1 ^ firstWord) ^ 42)
        .array();
  }

  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 33)) * MIX_1;
    mixed = (mixed ^ (mixed >>> 33)) * MIX_2;
    return mixed ^ (mixed >>> 33);
  }
}
