package io.weir.edge;

import java.util.concurrent.TimeUnit;

/**
 * When to try again: after 100 ms, then twice as long each time, up to 10 s; where wanted less by a
 * random part, so that gateways that failed together do not come back together. For one thread.
 */
final class Backoff {
  static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

  private long nextPauseNanos = MIN_NANOS;
  private long retryAtNanos;
  private boolean pausing;

  void failed(long nowNanos) {
    failed(nowNanos, 1);
  }

  /** Fails, and waits for this share of the pause. */
  void failed(long nowNanos, double share) {
    retryAtNanos = nowNanos + (long) (nextPauseNanos * share);
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
