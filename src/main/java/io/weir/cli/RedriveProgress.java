package io.weir.cli;

import io.weir.internal.redrive.RedriveListener;
import io.weir.internal.redrive.RedriveReport;
import io.weir.internal.redrive.ResendOutcome;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Prints the progress of a redrive every 2 s. */
final class RedriveProgress implements RedriveListener {
  private static final long INTERVAL_MS = 2_000;

  private final PrintWriter err;
  private final BooleanSupplier stopped;
  private final LongSupplier elapsedMs;
  private long nextMs;

  /**
   * @param elapsedMs a monotonic clock
   */
  RedriveProgress(PrintWriter err, BooleanSupplier stopped, LongSupplier elapsedMs) {
    this.err = err;
    this.stopped = stopped;
    this.elapsedMs = elapsedMs;
    this.nextMs = elapsedMs.getAsLong() + INTERVAL_MS;
  }

  @Override
  public void progress(RedriveReport soFar) {
    long nowMs = elapsedMs.getAsLong();
    if (nowMs >= nextMs) {
      nextMs = nowMs + INTERVAL_MS;
      err.printf(
          Locale.ROOT,
          "%.0f %% read, %,d records match, %,d sent%n",
          100.0 * soFar.offsetsLookedAt() / Math.max(1, soFar.offsetsInAll()),
          soFar.fitting(),
          soFar.records(ResendOutcome.SENT));
      err.flush();
    }
  }

  @Override
  public void left(String what) {
    err.println(what);
    err.flush();
  }

  @Override
  public boolean isStopped() {
    return stopped.getAsBoolean();
  }
}
