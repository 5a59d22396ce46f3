package io.weir.topology;

/**
 * When the owner of a partition asks for a tick: nothing has come for a third of the idle timeout,
 * or work is left over, or it has just taken over; and, whether anything waits or not, after
 * {@value #HEARTBEAT_MS} ms without a record, so that a partition that works is committed now and
 * then. It only asks; what a tick sets off is decided when it is processed. Called by the task's
 * thread, with times of any monotonic clock in milliseconds.
 */
final class TickClock {
  /** A partition gets a record at least so often, its tick if nothing else. */
  static final long HEARTBEAT_MS = 30_000;

  /** What is left over is asked for again so often, should a tick be lost. */
  private static final long RETRY_MS = 1000;

  private final long quietMs;
  private long quietSinceMs;
  private long silentSinceMs;
  private boolean urgent;

  TickClock(long idleTimeoutMs) {
    this.quietMs = Math.max(1, idleTimeoutMs / 3);
  }

  /** How often {@link #isDue} is to be asked. */
  long lookEveryMs() {
    return Math.min(1000, Math.max(10, quietMs / 4));
  }

  /** The partition was taken over. */
  void begin(long nowMs) {
    quietSinceMs = nowMs - quietMs;
    silentSinceMs = nowMs;
    urgent = false;
  }

  /**
   * A record was processed.
   *
   * @param workLeft whether more is due than was done
   */
  void processed(long nowMs, boolean workLeft) {
    quietSinceMs = nowMs;
    silentSinceMs = nowMs;
    urgent = workLeft;
  }

  /** Whether a tick is to be asked for if something waits for time; counts as asked if so. */
  boolean isDue(long nowMs) {
    boolean due = nowMs - quietSinceMs >= (urgent ? Math.min(quietMs, RETRY_MS) : quietMs);
    if (due) {
      quietSinceMs = nowMs;
    }
    return due;
  }

  /** Whether a tick is to be asked for in any case; counts as asked if so. */
  boolean isHeartbeatDue(long nowMs) {
    boolean due = nowMs - silentSinceMs >= HEARTBEAT_MS;
    if (due) {
      silentSinceMs = nowMs;
    }
    return due;
  }
}
