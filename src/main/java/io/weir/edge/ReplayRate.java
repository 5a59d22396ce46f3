package io.weir.edge;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Limits the readings per second that are sent from the disk: a token bucket that holds at most the
 * tokens of one second. A batch may be sent while the balance is positive and may make it negative.
 * Not thread-safe.
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

  /** Adds the tokens for the time since the last call. */
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

  void spend(int readings) {
    if (readingsPerSecond.isPresent()) {
      budget -= readings;
    }
  }

  /** Nanoseconds until the next batch may be sent, from the last {@link #fill}. */
  long waitNanos() {
    return allows() ? 0 : 1 + (long) (-budget / readingsPerSecond.get() * SECOND_NANOS);
  }
}
