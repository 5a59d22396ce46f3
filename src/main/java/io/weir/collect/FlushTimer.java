package io.weir.collect;

/**
 * When a batch is sent: full, or so long after its first row was seen. Not safe for several
 * threads.
 */
final class FlushTimer {
  private static final long NONE = -1;

  private long sinceMs;
  private boolean waiting;

  /**
   * Looks at what waits.
   *
   * @param rows that could be sent
   * @param full whether no more fit, by rows or by bytes
   * @return whether they are sent now
   */
  boolean isDue(int rows, boolean full, long timeoutMs, long nowMs) {
    if (rows == 0) {
      waiting = false;
      return false;
    }
    if (!waiting) {
      waiting = true;
      sinceMs = nowMs;
    }
    return full || nowMs - sinceMs >= timeoutMs;
  }

  /** They are sent; rows that did not fit have waited already. */
  void sent(boolean more, long nowMs) {
    waiting = more;
    sinceMs = more ? Math.min(sinceMs, nowMs) : nowMs;
  }

  /** How long until what was seen is sent at the latest; -1 where nothing waits. */
  long dueInMs(long timeoutMs, long nowMs) {
    return waiting ? Math.max(0, sinceMs + timeoutMs - nowMs) : NONE;
  }
}
