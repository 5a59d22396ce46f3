package io.weir.keyed;

import io.weir.reading.Fnv1a;

/**
 * How often and when an event is handled again whose call failed.
 *
 * @param attempts number of calls, the first included
 * @param firstMs delay after the first failure; it doubles with each further one
 * @param longestMs the longest delay
 */
record Retries(int attempts, long firstMs, long longestMs) {
  static final Retries NONE = new Retries(1, 1_000, 60_000);
  static final Retries DEFAULT = new Retries(5, 1_000, 60_000);
  private static final int MOST_ATTEMPTS = 1_000;
  private static final long MOST_MS = 86_400_000;

  Retries {
    if (attempts < 1 || attempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException("attempts " + attempts + ": expected: 1 to 1000");
    }
    if (firstMs < 1 || longestMs < firstMs || longestMs > MOST_MS) {
      throw new IllegalArgumentException(
          "delays of %d ms to %d ms: expected: 1 ms or more, in this order, up to 24 h"
              .formatted(firstMs, longestMs));
    }
  }

  /**
   * The delay after a failure: between a half and all of the doubled delay, so that keys that
   * failed together are not repeated together. A function of its arguments.
   */
  long delayMs(int failures, String key, long appendMs) {
    long most = firstMs;
    for (int i = 1; i < failures && most < longestMs; i++) {
      most = Math.min(longestMs, 2 * most);
    }
    long least = most - most / 2;
    return least + Math.floorMod(Fnv1a.hash64(key + " " + appendMs), most - least + 1);
  }
}
