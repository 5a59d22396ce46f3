package io.weir.internal.topology;

/**
 * When the owner of a partition asks for a tick:
 *
 * <ul>
 *   <li>nothing has come for a while, or work is left over, or it has just taken over, if something
 *       waits for time to pass;
 *   <li>something is due at a known time;
 *   <li>after {@value #HEARTBEAT_MS} ms without a record, whether anything waits or not, so that a
 *       partition that works is committed now and then.
 * </ul>
 *
 * It only asks; what a tick sets off is decided when it is processed. Called by the task's thread,
 * with times of any monotonic clock in milliseconds.
 */
final class TickClock {
  /** A partition gets a record at least so often, its tick if nothing else. */
  static final long HEARTBEAT_MS = 30_000;

  /** What is left over, or due, is asked for again so often, should a tick be lost. */
  private static final long RETRY_MS = 1000;

  private static final long NEVER = Long.MAX_VALUE;

  private final long quietMs;
  private long quietSinceMs;
  private long silentSinceMs;
  private long dueMs = NEVER;
  private boolean urgent;

  /**
   * @param quietMs how long nothing may come before a tick is asked for
   */
  TickClock(long quietMs) {
    this.quietMs = quietMs;
  }

  /**
   * The partition was taken over.
   *
   * @param waits whether something is due at a known time: how far off that is shows with the first
   *     record
   */
  void begin(long nowMs, boolean waits) {
    quietSinceMs = nowMs - quietMs;
    silentSinceMs = nowMs;
    dueMs = waits ? nowMs : NEVER;
    urgent = false;
  }

  /**
   * A record was processed.
   *
   * @param workLeft whether more is due than was done
   * @param dueInMs when something is due after it, {@link Long#MAX_VALUE} for never
   */
  void processed(long nowMs, boolean workLeft, long dueInMs) {
    quietSinceMs = nowMs;
    silentSinceMs = nowMs;
    urgent = workLeft;
    dueMs = dueInMs > NEVER - Math.max(0, nowMs) ? NEVER : nowMs + Math.max(0, dueInMs);
  }

  /** Whether a tick is to be asked for if something waits for time; counts as asked if so. */
  boolean isQuiet(long nowMs) {
    boolean quiet = nowMs - quietSinceMs >= (urgent ? Math.min(quietMs, RETRY_MS) : quietMs);
    if (quiet) {
      quietSinceMs = nowMs;
    }
    return quiet;
  }

  /** Whether something is due; counts as asked if so. */
  boolean isDue(long nowMs) {
    boolean due = nowMs >= dueMs;
    if (due) {
      dueMs = nowMs + RETRY_MS;
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
