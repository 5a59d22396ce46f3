package io.weir.text;

import io.weir.v1.WindowSummary;

/**
 * The last that was said of a window.
 *
 * @param startMs first millisecond, since the Unix epoch
 * @param endMs first millisecond after the window
 * @param count readings aggregated, those of quality BAD left out
 * @param badCount readings of quality BAD
 * @param sum 0, and meaning nothing, where count is 0; so are min and max
 * @param revision as the window's last record bears it, unsigned
 */
public record WindowTruth(
    String sensorId,
    long startMs,
    long endMs,
    long count,
    long badCount,
    double sum,
    double min,
    double max,
    int revision) {
  /** What a summary says of its window. */
  public static WindowTruth of(WindowSummary summary) {
    return new WindowTruth(
        summary.getSensorId(),
        summary.getWindowStartMs(),
        summary.getWindowEndMs(),
        summary.getCount(),
        summary.getBadCount(),
        summary.getSum(),
        summary.getMin(),
        summary.getMax(),
        summary.getRevision());
  }
}
