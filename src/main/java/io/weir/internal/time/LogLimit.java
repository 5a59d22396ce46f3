package io.weir.internal.time;

import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Warnings about single records, so many a minute. If a metric counts the others, the last line of
 * a minute names it. One thread.
 */
public final class LogLimit {
  static final int LINES = 10;
  static final long MINUTE_MS = 60_000;

  private final Logger log;
  private final String metric;
  private final LongSupplier elapsedMs;
  private long minuteEndMs = Long.MIN_VALUE;
  private int lines;

  /**
   * @param metric counts all of them
   * @param elapsedMs a monotonic clock
   */
  public LogLimit(Logger log, String metric, LongSupplier elapsedMs) {
    this.log = log;
    this.metric = metric;
    this.elapsedMs = elapsedMs;
  }

  /** Of warnings that no metric counts. */
  public LogLimit(Logger log, LongSupplier elapsedMs) {
    this(log, "", elapsedMs);
  }

  /** Logs a warning, or leaves it out. */
  public void warn(String format, Object... values) {
    long nowMs = elapsedMs.getAsLong();
    if (nowMs >= minuteEndMs) {
      minuteEndMs = nowMs + MINUTE_MS;
      lines = 0;
    }
    if (++lines < LINES) {
      log.warn(format, values);
    } else if (lines == LINES) {
      String more = metric.isEmpty() ? "" : ", see " + metric;
      log.warn(format + "; no more such lines for a minute" + more, values);
    }
  }
}
