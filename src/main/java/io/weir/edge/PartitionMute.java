package io.weir.edge;

/**
 * The mute state of a partition and the time of its next attempt. A partition is muted while the
 * brokers reject its first batch, or do not respond for it but respond for others. Sender thread
 * only, except {@link #isMuted}.
 */
final class PartitionMute {
  private final Backoff backoff = Backoff.jittered();
  private volatile boolean muted;

  /** Mutes the partition: it sends one batch at a time. */
  void mute() {
    muted = true;
  }

  /** Stops sending for the partition for a growing pause. */
  void pause(long nowNanos) {
    backoff.failed(nowNanos);
  }

  void unmute() {
    muted = false;
    backoff.reset();
  }

  /** Whether nothing was acknowledged since it was muted. Thread-safe. */
  boolean isMuted() {
    return muted;
  }

  /** Whether the pause has not ended. */
  boolean isPausing(long nowNanos) {
    return backoff.remainingNanos(nowNanos) > 0;
  }

  /** Nanoseconds until the end of the pause; {@link Long#MAX_VALUE} if there is none. */
  long retryInNanos(long nowNanos) {
    return isPausing(nowNanos) ? backoff.remainingNanos(nowNanos) : Long.MAX_VALUE;
  }
}
