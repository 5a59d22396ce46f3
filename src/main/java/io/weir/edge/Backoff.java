package io.weir.edge;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * When to try again: after 100 ms, then twice as long each time, up to 10 s. What is asked of
 * brokers is tried again after between half and all of that, so that gateways that failed together
 * do not come back together. For one thread.
 */
final class Backoff {
  static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DoubleSupplier share;
  private long nextPauseNanos = MIN_NANOS;
  private long retryAtNanos;
  private boolean pausing;

  /** For what is asked of this machine alone. */
  static Backoff local() {
    return new Backoff(() -> 1);
  }

  /** For what is asked of brokers. */
  static Backoff jittered() {
    return new Backoff(() -> ThreadLocalRandom.current().nextDouble(0.5, 1));
  }

  /** Waits for a share of each pause. */
  Backoff(DoubleSupplier share) {
    this.share = share;
  }

  void failed(long nowNanos) {
    retryAtNanos = nowNanos + (long) (nextPauseNanos * share.getAsDouble());
    nextPauseNanos = Math.min(MAX_NANOS, 2 * nextPauseNanos);
    pausing = true;
  }

  void reset() {
    nextPauseNanos = MIN_NANOS;
    pausing = false;
  }

  /** Nanoseconds until the next try; 0 where it may be made. */
  long remainingNanos(long nowNanos) {
    if (pausing && retryAtNanos - nowNanos <= 0) {
      pausing = false;
    }
    return pausing ? retryAtNanos - nowNanos : 0;
  }
}
