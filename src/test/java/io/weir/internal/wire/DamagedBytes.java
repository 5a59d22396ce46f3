package io.weir.internal.wire;

import java.util.Arrays;
import java.util.Random;

/** Bytes with a few things wrong in them: changed, cut, taken out, doubled, or from elsewhere. */
final class DamagedBytes {
  /** What varints, tags and lengths are most often wrong by. */
  private static final int[] TELLING = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x08, 0x0a, 0x22, 0x2a, 0x3b};

  private DamagedBytes() {}

  /**
   * A damaged copy.
   *
   * @param other from which a piece may come
   */
  static byte[] of(byte[] bytes, byte[] other, Random random) {
    byte[] damaged = bytes;
    int faults = 1 + random.nextInt(3);
    for (int i = 0; i < faults; i++) {
      damaged = fault(damaged, other, random);
    }
    return damaged;
  }

  private static byte[] fault(byte[] bytes, byte[] other, Random random) {
    if (bytes.length == 0) {
      return other;
    }
    int at = random.nextInt(bytes.length);
    int length = 1 + random.nextInt(Math.min(16, bytes.length - at));
    byte[] copy = bytes.clone();
    switch (random.nextInt(8)) {
      case 0 -> copy[at] = (byte) random.nextInt();
      case 1 -> copy[at] = (byte) TELLING[random.nextInt(TELLING.length)];
      case 2 -> copy[at] ^= (byte) (1 << random.nextInt(8));
      case 3 -> copy[at] += (byte) (random.nextBoolean() ? 1 : -1);
      case 4 -> copy = Arrays.copyOf(copy, at);
      case 5 -> copy = replaced(bytes, at, length, new byte[0]);
      case 6 -> copy = replaced(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
      default -> {
        int from = random.nextInt(other.length + 1);
        int to = from + random.nextInt(other.length + 1 - from);
        copy = replaced(bytes, at, length, Arrays.copyOfRange(other, from, to));
      }
    }
    return copy;
  }

  private static byte[] replaced(byte[] bytes, int at, int length, byte[] by) {
    byte[] result = new byte[bytes.length - length + by.length];
    System.arraycopy(bytes, 0, result, 0, at);
    System.arraycopy(by, 0, result, at, by.length);
    int rest = at + length;
    System.arraycopy(bytes, rest, result, at + by.length, bytes.length - rest);
    return result;
  }
}
