package io.weir.collect;

/**
 * When what waits leaves: full, or so long after its first row was seen. Not safe for several
 * threads.
 */
final class Departure {
  private static final long NONE = -1;

  private long sinceMs;
  private boolean waiting;

  /**
   * Looks at what waits.
   *
   * @param rows that could leave
   * @param full whether no more fit, by rows or by bytes
   * @return whether they leave now
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

  /** They left; what is left behind has waited already. */
  void left(boolean more, long nowMs) {
    waiting = more;
    sinceMs = more ? Math.min(sinceMs, nowMs) : nowMs;
  }

  /** How long until what was seen leaves at the latest; -1 where nothing waits. */
  long dueInMs(long timeoutMs, long nowMs) {
    return waiting ? Math.max(0, sinceMs + timeoutMs - nowMs) : NONE;
  }
}
