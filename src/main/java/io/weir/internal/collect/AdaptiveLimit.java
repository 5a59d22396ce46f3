package io.weir.internal.collect;

/**
 * The row limit and the timeout of batches. The limit grows by a tenth while there is a backlog and
 * acknowledgements are faster than the target, and halves when they are slower; the timeout halves
 * after small batches and doubles after larger ones. Not safe for several threads.
 */
final class AdaptiveLimit {
  static final int MOST_ROWS = 10_000;
  private static final int LEAST_ROWS = 10;
  private static final long LEAST_TIMEOUT_MS = 10;
  private static final int TENTH = 10;

  private final boolean adaptive;
  private final int leastRows;
  private final int mostRows;
  private final long leastTimeoutMs;
  private final long mostTimeoutMs;
  private final long targetMs;
  private int rows;
  private long timeoutMs;

  /**
   * @param rows the initial limit, which is constant if not adaptive
   * @param mostRows upper bound of the limit
   * @param timeoutMs the longest timeout
   */
  AdaptiveLimit(boolean adaptive, int rows, int mostRows, long timeoutMs, long targetMs) {
    this.adaptive = adaptive;
    this.rows = rows;
    this.leastRows = Math.min(rows, LEAST_ROWS);
    this.mostRows = Math.max(rows, Math.min(mostRows, MOST_ROWS));
    this.timeoutMs = timeoutMs;
    this.leastTimeoutMs = Math.min(timeoutMs, LEAST_TIMEOUT_MS);
    this.mostTimeoutMs = timeoutMs;
    this.targetMs = targetMs;
  }

  /**
   * A batch was acknowledged.
   *
   * @param sent number of its rows
   * @param backlog whether more rows waited than fitted into it
   * @param ackMs time from its first send to its last acknowledgement
   */
  void acknowledged(int sent, boolean backlog, long ackMs) {
    if (!adaptive) {
      return;
    }
    timeoutMs =
        sent < Math.max(1, rows / TENTH)
            ? Math.max(leastTimeoutMs, timeoutMs / 2)
            : Math.min(mostTimeoutMs, timeoutMs * 2);
    if (ackMs > targetMs) {
      rows = Math.max(leastRows, rows / 2);
    } else if (backlog) {
      rows = Math.min(mostRows, rows + Math.max(1, rows / TENTH));
    }
  }

  int rows() {
    return rows;
  }

  long timeoutMs() {
    return timeoutMs;
  }
}
