package io.weir.internal.collect;

/**
 * Decides when a batch is sent: when it is full, or a timeout after its first row was seen. Not
 * safe for several threads.
 */
final class FlushTimer {
  private static final long NONE = -1;

  private long sinceMs;
  private boolean waiting;

  /**
   * Updates the timer with the waiting rows.
   *
   * @param rows number of rows that could be sent
   * @param full whether the batch is full, by rows or by bytes
   * @return whether to send them now
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

  /** A batch was sent; remaining rows have waited already. */
  void sent(boolean more, long nowMs) {
    waiting = more;
    sinceMs = more ? Math.min(sinceMs, nowMs) : nowMs;
  }

  /** Time until the seen rows are sent at the latest; -1 if none wait. */
  long dueInMs(long timeoutMs, long nowMs) {
    return waiting ? Math.max(0, sinceMs + timeoutMs - nowMs) : NONE;
  }
}
