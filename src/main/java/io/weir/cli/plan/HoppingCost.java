package io.weir.cli.plan;

import io.weir.cli.plan.PlannedJobs.Hopping;

/** The resources of hopping windows; zero if there are none. */
final class HoppingCost {
  private static final double RETENTION_MS = 14 * 86_400_000.0;

  private final PlanInput in;
  private final PlanFigures figures;
  private final Hopping hopping;

  HoppingCost(PlanInput in, PlanFigures figures) {
    this.in = in;
    this.figures = figures;
    this.hopping = in.jobs().hopping().orElse(new Hopping(0, 0));
  }

  double sensors() {
    return hopping.sensors();
  }

  double lengthMs() {
    return hopping.lengthMs();
  }

  /** Windows of a sensor that are retained for later hopping windows. */
  double keptWindows() {
    return Math.max(0, Math.ceil(hopping.lengthMs() / spanMs()) - 1);
  }

  /** Time between two windows of a sensor. */
  private double spanMs() {
    return Math.max(in.windowMs(), in.periodMs());
  }

  double heapBytesPerSensor() {
    return figures.at(Figure.HOPPING_HEAP_BYTES, keptWindows())
        + keptWindows() * in.statistics().heap();
  }

  double heapBytes() {
    return sensors() == 0 ? 0 : sensors() * heapBytesPerSensor();
  }

  double summariesPerSecond() {
    return sensors() * 1000 / spanMs();
  }

  TopicLoad topic() {
    double bytes = figures.value(Figure.WINDOW_BYTES) + in.statistics().summary();
    return new TopicLoad("weir.hopping", "hopping", summariesPerSecond() * bytes, RETENTION_MS, 1);
  }

  /** Each window is written once more at its eviction, and deleted later. */
  double changelogBytesPerSecond() {
    double entry = figures.value(Figure.HOPPING_ENTRY_BYTES) + in.statistics().changelog();
    return summariesPerSecond() * (entry + figures.value(Figure.DELETION_BYTES));
  }

  double changelogLive() {
    double window = figures.value(Figure.HOPPING_KEPT_BYTES) + in.statistics().changelog();
    return sensors() * keptWindows() * window;
  }
}
