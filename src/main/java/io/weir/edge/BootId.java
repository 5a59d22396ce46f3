package io.weir.edge;

/**
 * Names a start of a gateway's publisher, larger than those before it: the wall clock's
 * milliseconds since the Unix epoch shifted left by 20 bits, plus 20 random bits.
 *
 * <p>A start after a kept one takes the larger of the clock and the kept one, and adds 32 random
 * bits, at most 4.1 seconds of clock: several starts may begin from one and the same kept state
 * with a clock that is behind, and each of them counts its sequences from 1.
 */
final class BootId {
  static final int RANDOM_BITS = 20;

  /** The largest one that leaves room for a next one. */
  static final long MAX = Long.MAX_VALUE - 1;

  private static final long MAX_WALL_CLOCK_MS = (1L << (Long.SIZE - 1 - RANDOM_BITS)) - 1;
  private static final long RANDOM_AFTER_MASK = 0xFFFFFFFFL;
  private static final long RANDOM_MASK = (1L << RANDOM_BITS) - 1;

  private BootId() {}

  /**
   * The boot id of a start, from 1. A wall clock before 1970 or after 2248 is taken as the limit.
   */
  static long of(long wallClockMs, long random) {
    long clock = Math.min(Math.max(wallClockMs, 0), MAX_WALL_CLOCK_MS);
    long bootId = clock << RANDOM_BITS | random & RANDOM_MASK;
    return Math.min(Math.max(bootId, 1), MAX);
  }

  /** The boot id of a start after the one whose boot id was kept. */
  static long after(long keptBootId, long wallClockMs, long random) {
    long atLeast = Math.max(of(wallClockMs, 0), keptBootId);
    return Math.min(atLeast + 1 + (random & RANDOM_AFTER_MASK), MAX);
  }
}
