package io.weir.lab.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Times, one for each of a number of events known beforehand. Safe for many threads. */
final class Latencies {
  private final long[] nanos;
  private final AtomicLong known = new AtomicLong();

  Latencies(int events) {
    nanos = new long[events];
  }

  /** Says how long an event took; once for each. */
  void record(int event, long took) {
    nanos[event] = took;
    known.incrementAndGet();
  }

  /** How many events are known. */
  long known() {
    return known.get();
  }

  /** Percentiles of the events from one on: the smallest time that so many are not above. */
  Figures figures(int fromEvent) {
    long[] sorted = Arrays.copyOfRange(nanos, fromEvent, nanos.length);
    Arrays.sort(sorted);
    return Figures.of(
        Map.of(
            Figure.P50_MS, percentileMs(sorted, 0.5),
            Figure.P99_MS, percentileMs(sorted, 0.99),
            Figure.P999_MS, percentileMs(sorted, 0.999)));
  }

  private static double percentileMs(long[] sorted, double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(1, rank) - 1] / 1e6;
  }
}
