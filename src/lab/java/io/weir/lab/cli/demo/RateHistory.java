package io.weir.lab.cli.demo;

import java.util.Arrays;

/** A total that grows, as a rate for each second of the last few minutes. One thread. */
final class RateHistory {
  private static final int KEPT = 240;
  private static final long STEP_MS = 1000;

  private final double[] rates = new double[KEPT];
  private int size;
  private long lastMs;
  private long lastTotal;

  /**
   * Takes the total as it is now; a finished second is remembered.
   *
   * @param nowMs since the start, never less than before
   */
  void sample(long nowMs, long total) {
    long passedMs = nowMs - lastMs;
    if (passedMs < STEP_MS) {
      return;
    }
    add(Math.max(0, total - lastTotal) * 1000.0 / passedMs);
    lastMs = nowMs;
    lastTotal = total;
  }

  private void add(double rate) {
    if (size == KEPT) {
      System.arraycopy(rates, 1, rates, 0, KEPT - 1);
      size--;
    }
    rates[size++] = rate;
  }

  /** Of the last finished second; 0 before there is one. */
  double perSecond() {
    return size == 0 ? 0 : rates[size - 1];
  }

  /** The rates, the oldest first. A copy. */
  double[] history() {
    return Arrays.copyOf(rates, size);
  }
}
