package io.weir.collect;

/**
 * How many rows make a batch, and how long one waits for them. The limit grows by a tenth while
 * there is a backlog and acknowledgements are faster than the target, and halves when they are not;
 * the timeout halves while little comes and doubles back when more does. Not safe for several
 * threads.
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
   * @param rows the limit to begin with, and to stay at where it does not adapt
   * @param mostRows of a batch, whatever comes
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
   * @param sent its rows
   * @param backlog whether more rows waited than fitted into it
   * @param ackMs from its first send to its last acknowledgement
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
