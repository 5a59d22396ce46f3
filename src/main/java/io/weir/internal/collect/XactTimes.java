package io.weir.internal.collect;

import java.util.ArrayList;
import java.util.List;

/**
 * Approximate start times of transactions: the caller records the next transaction id periodically.
 * Not safe for several threads.
 */
final class XactTimes {
  private static final int MOST = 1_000;

  private record Sample(long nextXact, long ms) {}

  private List<Sample> samples = new ArrayList<>();

  /**
   * @param nextXact next unassigned transaction id at that time
   */
  void sample(long nextXact, long nowMs) {
    if (samples.size() == MOST) {
      // Halves the precision of the older half each time.
      List<Sample> thinned = new ArrayList<>();
      for (int i = 0; i < MOST; i++) {
        if (i >= MOST / 2 || i % 2 == 0) {
          thinned.add(samples.get(i));
        }
      }
      samples = thinned;
    }
    samples.add(new Sample(nextXact, nowMs));
  }

  /**
   * The age of a transaction: an upper bound if the samples reach back to it, else a lower bound.
   */
  long ageMs(long xact, long nowMs) {
    for (int i = samples.size() - 1; i >= 0; i--) {
      if (Long.compareUnsigned(samples.get(i).nextXact(), xact) <= 0) {
        return nowMs - samples.get(i).ms();
      }
    }
    return samples.isEmpty() ? 0 : nowMs - samples.get(0).ms();
  }
}
