package io.weir.edge;

import java.util.concurrent.TimeUnit;

/** When to try again: after 100 ms, then twice as long each time, up to 10 s. For one thread. */
final class Backoff {
  static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private long nextPauseNanos = MIN_NANOS;
  private long retryAtNanos;
  private boolean pausing;

  void failed(long nowNanos) {
    retryAtNanos = nowNanos + nextPauseNanos;
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
