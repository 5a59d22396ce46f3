package io.weir.lab.bench;

import io.weir.v1.WindowSummary;

/**
 * Holds the windows that a subject commits against those of a plain pass over the same readings:
 * each once, with the same count, least and most, and a sum that rounding alone explains. A window
 * with fewer readings has lost the others. Thread-safe.
 */
final class SubjectWindowCheck {
  private static final double ROUNDING = 1e-9;

  private final PlainPass pass;
  private final Closing closing;
  private final long due;
  private long dueCommitted;
  private long committed;
  private long same;
  private long lacking;
  private long lostReadings;
  private long doubled;
  private long wrong;

  SubjectWindowCheck(PlainPass pass, Closing closing) {
    this.pass = pass;
    this.closing = closing;
    this.due =
        pass.sensors().values().stream()
            .mapToLong(
                sensor ->
                    sensor.windows.stream().filter(w -> closing.isDue(w, sensor, pass)).count())
            .sum();
  }

  /** A window was committed. */
  synchronized void take(WindowSummary summary) {
    committed++;
    PlainPass.Sensor sensor = pass.sensors().get(summary.getSensorId());
    PlainPass.Window window = sensor == null ? null : sensor.window(summary.getWindowStartMs());
    if (window == null) {
      wrong++;
      return;
    }
    if (window.committed >= 0) {
      doubled++;
      return;
    }
    window.committed = summary.getCount();
    if (closing.isDue(window, sensor, pass)) {
      dueCommitted++;
    }
    if (isSame(summary, window)) {
      same++;
    } else if (isPartOf(summary, window)) {
      lacking++;
      lostReadings += window.count - summary.getCount();
    } else {
      wrong++;
    }
  }

  private static boolean isSame(WindowSummary summary, PlainPass.Window window) {
    return summary.getCount() == window.count
        && summary.getMin() == window.min
        && summary.getMax() == window.max
        && Math.abs(summary.getSum() - window.sum) <= rounding(window);
  }

  private static double rounding(PlainPass.Window window) {
    return ROUNDING * window.count * Math.max(Math.abs(window.min), Math.abs(window.max));
  }

  private static boolean isPartOf(WindowSummary summary, PlainPass.Window window) {
    return summary.getCount() > 0
        && summary.getCount() < window.count
        && summary.getMin() >= window.min
        && summary.getMax() <= window.max
        && summary.getSum() >= window.min * summary.getCount() - rounding(window)
        && summary.getSum() <= window.max * summary.getCount() + rounding(window);
  }

  /** Windows that are due and were not committed yet. */
  synchronized long missing() {
    return due - dueCommitted;
  }

  /** Windows that were committed by now, doubled ones too. */
  synchronized long committed() {
    return committed;
  }

  /** What there is to say of all that was committed. */
  synchronized Comparison comparison() {
    long lostWhole =
        pass.sensors().values().stream()
            .mapToLong(
                sensor ->
                    sensor.windows.stream()
                        .filter(w -> w.committed < 0 && closing.isDue(w, sensor, pass))
                        .mapToLong(w -> w.count)
                        .sum())
            .sum();
    return new Comparison(
        committed, same, lacking, missing(), lostReadings + lostWhole, doubled, wrong);
  }
}
