package io.weir.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Prints the progress of a feed every 2 s: rows, rate, and the remaining time if it is known. */
public final class FeedProgress {
  private static final long INTERVAL_MS = 2_000;
  private static final int LOOK_EVERY = 1_024;

  private final TextFeed feed;
  private final PrintWriter err;
  private final LongSupplier elapsedMs;
  private final long startMs;
  private long nextMs;
  private int calls;

  /**
   * @param elapsedMs a monotonic clock
   */
  public FeedProgress(TextFeed feed, PrintWriter err, LongSupplier elapsedMs) {
    this.feed = feed;
    this.err = err;
    this.elapsedMs = elapsedMs;
    this.startMs = elapsedMs.getAsLong();
    this.nextMs = startMs + INTERVAL_MS;
  }

  /** May be called for every line: reads the clock at every 1,024th call. */
  public void tick() {
    if (++calls % LOOK_EVERY != 0) {
      return;
    }
    long nowMs = elapsedMs.getAsLong();
    if (nowMs >= nextMs) {
      nextMs = nowMs + INTERVAL_MS;
      err.println(describe(nowMs));
      err.flush();
    }
  }

  private String describe(long nowMs) {
    double seconds = Math.max(1, nowMs - startMs) / 1000.0;
    long rows = feed.accepted() + feed.bad();
    String line = String.format(Locale.ROOT, "%,d rows read, %,.0f rows/s", rows, rows / seconds);
    if (feed.reader().bytesTotal().isEmpty()) {
      return line;
    }
    double part =
        (double) feed.reader().bytesRead() / Math.max(1, feed.reader().bytesTotal().getAsLong());
    double left = part <= 0 ? 0 : seconds * (1 - part) / part;
    return line + String.format(Locale.ROOT, ", %.0f %%, about %.0f s left", part * 100, left);
  }
}
