package io.weir.internal.serve.memory;

/** Counts of the last minute, second by second, by append time. For one thread at a time. */
final class Rates {
  static final int SECONDS = 60;

  private final long[] counts = new long[SECONDS];
  private final long[] seconds = new long[SECONDS];

  /** Adds to the second of an append time. */
  void add(long appendMs, long count) {
    long second = appendMs / 1_000;
    int at = (int) Math.floorMod(second, (long) SECONDS);
    if (seconds[at] > second) {
      return; // More than a minute old.
    }
    if (seconds[at] < second) {
      seconds[at] = second;
      counts[at] = 0;
    }
    counts[at] += count;
  }

  /** Counts of the 60 seconds before the present one, oldest first. */
  long[] at(long nowMs) {
    long[] values = new long[SECONDS];
    long first = nowMs / 1_000 - SECONDS;
    for (int i = 0; i < SECONDS; i++) {
      int at = (int) Math.floorMod(first + i, (long) SECONDS);
      values[i] = seconds[at] == first + i ? counts[at] : 0;
    }
    return values;
  }

  /** The mean of the last ten full seconds. */
  double perSecond(long nowMs) {
    long[] values = at(nowMs);
    long sum = 0;
    for (int i = SECONDS - 10; i < SECONDS; i++) {
      sum += values[i];
    }
    return sum / 10.0;
  }
}
