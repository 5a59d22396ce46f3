package io.weir.internal.text;

import io.weir.summary.Derived;
import io.weir.v1.WindowSummary;
import java.util.Optional;

/**
 * The last that was said of a window.
 *
 * @param startMs first millisecond, since the Unix epoch
 * @param endMs first millisecond after the window
 * @param count readings aggregated, those of quality BAD left out
 * @param badCount readings of quality BAD
 * @param sum 0, and meaning nothing, where count is 0; so are min and max
 * @param revision as the window's last record bears it, unsigned
 * @param summary the record itself where it says more than these fields; else empty
 */
public record SummaryRow(
    String sensorId,
    long startMs,
    long endMs,
    long count,
    long badCount,
    double sum,
    double min,
    double max,
    int revision,
    Optional<WindowSummary> summary) {
  /** With nothing beside these fields. */
  public SummaryRow(
      String sensorId,
      long startMs,
      long endMs,
      long count,
      long badCount,
      double sum,
      double min,
      double max,
      int revision) {
    this(sensorId, startMs, endMs, count, badCount, sum, min, max, revision, Optional.empty());
  }

  /** What a summary says of its window. */
  public static SummaryRow of(WindowSummary summary) {
    return new SummaryRow(
        summary.getSensorId(),
        summary.getWindowStartMs(),
        summary.getWindowEndMs(),
        summary.getCount(),
        summary.getBadCount(),
        summary.getSum(),
        summary.getMin(),
        summary.getMax(),
        summary.getRevision(),
        withMore(summary));
  }

  /** The summary, if it says more than the fields that each has. */
  public static Optional<WindowSummary> withMore(WindowSummary summary) {
    boolean more =
        summary.hasFirst()
            || summary.hasM2()
            || summary.hasHistogram()
            || summary.hasUncertainCount()
            || hasOtherMean(summary);
    return more ? Optional.of(summary) : Optional.empty();
  }

  private static boolean hasOtherMean(WindowSummary summary) {
    double plain =
        Derived.mean(summary.getSum(), summary.getCount(), summary.getMin(), summary.getMax());
    return summary.hasMean() && summary.getMean() != plain;
  }

  /** The mean of the readings; meaning nothing where count is 0. */
  double mean() {
    return summary
        .map(whole -> Derived.mean(whole).orElse(0))
        .orElseGet(() -> Derived.mean(sum, count, min, max));
  }
}
