package io.weir.edge;

/**
 * Whether a partition is muted, why, and when it is tried again: the brokers refuse its first batch
 * or do not answer for it while they answer others. For the sender thread, but for {@link
 * #isMuted}.
 */
final class PartitionMute {
  private final Backoff backoff = Backoff.jittered();
  private volatile boolean muted;

  /** The partition goes on by itself, one batch at a time, all others of it behind. */
  void mute() {
    muted = true;
  }

  /** Nothing of the partition is tried for a pause that grows. */
  void pause(long nowNanos) {
    backoff.failed(nowNanos);
  }

  void unmute() {
    muted = false;
    backoff.reset();
  }

  /** Whether nothing was acknowledged since it was muted. For any thread. */
  boolean isMuted() {
    return muted;
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
