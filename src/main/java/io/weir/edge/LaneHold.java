package io.weir.edge;

/**
 * Whether a lane stands still because the brokers refuse its first batch, and when that is tried
 * again. For the sender thread, but for {@link #isHeld}.
 */
final class LaneHold {
  private final Backoff backoff = new Backoff();
  private volatile boolean held;

  /** The first batch is refused: it waits for a pause that grows, and all others behind it. */
  void refused(long nowNanos) {
    held = true;
    backoff.failed(nowNanos);
  }

  void release() {
    held = false;
    backoff.reset();
  }

  /** Whether the first batch was refused and is not acknowledged yet. For any thread. */
  boolean isHeld() {
    return held;
  }

  /** Whether it is too early to try again. */
  boolean isPausing(long nowNanos) {
    return backoff.remainingNanos(nowNanos) > 0;
  }

  /** Nanoseconds until the end of the pause; {@link Long#MAX_VALUE} where there is none. */
  long retryInNanos(long nowNanos) {
    return isPausing(nowNanos) ? backoff.remainingNanos(nowNanos) : Long.MAX_VALUE;
  }
}
