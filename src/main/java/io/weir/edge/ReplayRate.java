package io.weir.edge;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Bounds how many readings a second come back from the disk. A batch may go while the budget is
 * above 0 and takes it below; a second of silence fills it to one second's readings at most. For
 * one thread.
 */
final class ReplayRate {
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Optional<Long> readingsPerSecond;
  private double budget = 1;
  private long filledAtNanos;

  ReplayRate(Optional<Long> readingsPerSecond, long nowNanos) {
    this.readingsPerSecond = readingsPerSecond;
    this.filledAtNanos = nowNanos;
  }

  /** Adds what the time since the last call allows. */
  void fill(long nowNanos) {
    if (readingsPerSecond.isPresent()) {
      long rate = readingsPerSecond.get();
      double earned = (nowNanos - filledAtNanos) / SECOND_NANOS * rate;
      budget = Math.min(Math.max(1, rate), budget + earned);
      filledAtNanos = nowNanos;
    }
  }

  boolean allows() {
    return readingsPerSecond.isEmpty() || budget > 0;
  }

  void took(int readings) {
    if (readingsPerSecond.isPresent()) {
      budget -= readings;
    }
  }

  /** Nanoseconds until the next batch may go, counted from the last {@link #fill}. */
  long waitNanos() {
    return allows() ? 0 : 1 + (long) (-budget / readingsPerSecond.get() * SECOND_NANOS);
  }
}
