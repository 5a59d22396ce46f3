package io.weir.internal.app;

import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Warnings about single records, so many a minute. The others are counted by a metric, which the
 * last line of a minute names. One thread.
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
      log.warn(format + "; no more such lines for a minute, see " + metric, values);
    }
  }
}
