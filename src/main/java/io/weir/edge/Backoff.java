package io.weir.edge;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Exponential backoff from 100 ms to 10 s. Requests to brokers wait between half and all of it, so
 * that gateways that failed together do not retry together. Not thread-safe.
 */
final class Backoff {
  static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DoubleSupplier share;
  private long nextPauseNanos = MIN_NANOS;
  private long retryAtNanos;
  private boolean pausing;

  /** For local operations, without jitter. */
  static Backoff local() {
    return new Backoff(() -> 1);
  }

  /** For requests to brokers, with jitter. */
  static Backoff jittered() {
    return new Backoff(() -> ThreadLocalRandom.current().nextDouble(0.5, 1));
  }

  /** Waits for a fraction of each pause. */
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

  /** Nanoseconds until the next attempt; 0 if it is due. */
  long remainingNanos(long nowNanos) {
    if (pausing && retryAtNanos - nowNanos <= 0) {
      pausing = false;
    }
    return pausing ? retryAtNanos - nowNanos : 0;
  }
}
