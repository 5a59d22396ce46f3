package io.weir.internal.text;

/**
 * Whether the first timestamps were meant in another unit than they were read in: all of them would
 * then be of this century, and as they are none is. One thread.
 */
final class UnitGuess {
  private static final int LOOKS = 10;
  private static final int MAX_DIGITS = 9;

  /** 2000-01-01 and 2100-01-01. */
  private static final double FIRST_MS = 946_684_800_000.0;

  private static final double LAST_MS = 4_102_444_800_000.0;

  private int looks;
  private int digits;
  private boolean agreed = true;
  private long first;

  boolean isLooking() {
    return looks < LOOKS;
  }

  void look(long timestampMs) {
    int found = digitsBeyond(timestampMs);
    if (looks++ == 0) {
      digits = found;
      first = timestampMs;
    }
    agreed &= digits == found;
  }

  /** Powers of ten that lead into this century: 3 where the text has seconds for milliseconds. */
  private static int digitsBeyond(long timestampMs) {
    for (int digits = -MAX_DIGITS; digits <= MAX_DIGITS; digits += 3) {
      double ms = timestampMs * Math.pow(10, digits);
      if (ms >= FIRST_MS && ms < LAST_MS) {
        return digits;
      }
    }
    return 0;
  }

  /**
   * In how much larger a unit the timestamps were meant, as a power of ten; 0 where nothing says
   * so.
   */
  int digits() {
    return looks > 0 && agreed ? digits : 0;
  }

  /** The first timestamp, as it was taken. */
  long first() {
    return first;
  }
}
