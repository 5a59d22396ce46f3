package io.weir.edge;

/**
 * Identifies a start of a gateway's publisher and is larger than the boot ids of earlier starts:
 * the wall clock's milliseconds since the Unix epoch shifted left by 20 bits, plus 20 random bits.
 *
 * <p>A start after a stored boot id adds 32 random bits, at most 4.1 s of clock, to the larger of
 * the clock and the stored one: several starts may use the same stored state while the clock is
 * behind, and each of them counts its sequences from 1.
 */
final class BootId {
  static final int RANDOM_BITS = 20;

  /** The largest boot id that has a successor. */
  static final long MAX = Long.MAX_VALUE - 1;

  private static final long MAX_WALL_CLOCK_MS = (1L << (Long.SIZE - 1 - RANDOM_BITS)) - 1;
  private static final long RANDOM_AFTER_MASK = 0xFFFFFFFFL;
  private static final long RANDOM_MASK = (1L << RANDOM_BITS) - 1;

  private BootId() {}

  /** The boot id of a start, from 1. A wall clock outside 1970 to 2248 is clamped. */
  static long of(long wallClockMs, long random) {
    long clock = Math.min(Math.max(wallClockMs, 0), MAX_WALL_CLOCK_MS);
    long bootId = clock << RANDOM_BITS | random & RANDOM_MASK;
    return Math.min(Math.max(bootId, 1), MAX);
  }

  /** The boot id of a start after the start with the stored boot id. */
  static long after(long keptBootId, long wallClockMs, long random) {
    long atLeast = Math.max(of(wallClockMs, 0), keptBootId);
    return Math.min(atLeast + 1 + (random & RANDOM_AFTER_MASK), MAX);
  }
}
