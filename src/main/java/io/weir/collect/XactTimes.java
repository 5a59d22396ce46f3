package io.weir.collect;

import java.util.ArrayList;
import java.util.List;

/**
 * When transactions began, approximately: the caller records the next transaction number from time
 * to time. Not safe for several threads.
 */
final class XactTimes {
  private static final int MOST = 1_000;

  private record Sample(long nextXact, long ms) {}

  private List<Sample> samples = new ArrayList<>();

  /**
   * @param nextXact that no transaction had at that time
   */
  void sample(long nextXact, long nowMs) {
    if (samples.size() == MOST) {
      // The older half with half the precision, and so on at each time.
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
   * How long ago a transaction began: at most so long where samples go back to it, else at least so
   * long.
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
