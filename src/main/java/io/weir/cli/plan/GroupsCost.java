package io.weir.cli.plan;

import io.weir.cli.plan.PlannedJobs.GroupLoad;

/** The resources of group windows. */
final class GroupsCost {
  private final PlanInput in;
  private final PlanFigures figures;
  private final GroupLoad load;

  GroupsCost(PlanInput in, PlanFigures figures, GroupLoad load) {
    this.in = in;
    this.figures = figures;
    this.load = load;
  }

  GroupLoad load() {
    return load;
  }

  double sensorsOfGroup() {
    return in.sensors() / load.groups();
  }

  private double spanMs() {
    return Math.max(load.sizeMs(), in.periodMs());
  }

  /** Windows of a group in memory: those within keep, and the current one. */
  double windowsOfGroup() {
    return Math.ceil(load.keepMs() / spanMs()) + 1;
  }

  double windowsPerSecond() {
    return load.groups() * 1000 / spanMs();
  }

  /** Summaries of sensors that are sent to their groups. */
  double partsPerSecond() {
    return in.sensors() * 1000 / spanMs();
  }

  double heapBytes() {
    return load.groups() * windowsOfGroup() * figures.at(Figure.GROUP_HEAP_BYTES, sensorsOfGroup());
  }

  /**
   * A window is written at each commit with a new part, at its emission and at its deletion; each
   * part is written once and deleted.
   */
  double changelogBytesPerSecond() {
    double deletion = figures.value(Figure.DELETION_BYTES);
    double commits = Math.max(1, in.periodMs() / in.betweenCommitsMs());
    double puts = 1 + Math.min(sensorsOfGroup(), commits);
    double window = puts * figures.value(Figure.GROUP_WINDOW_ENTRY_BYTES) + deletion;
    double part = figures.value(Figure.GROUP_PART_ENTRY_BYTES) + deletion;
    return windowsPerSecond() * window + partsPerSecond() * part;
  }

  double changelogLive() {
    return load.groups() * windowsOfGroup() * figures.at(Figure.GROUP_KEPT_BYTES, sensorsOfGroup());
  }

  double partsBytesPerSecond() {
    return partsPerSecond() * figures.value(Figure.GROUP_PART_BYTES);
  }

  double groupsBytesPerSecond() {
    return windowsPerSecond() * figures.value(Figure.GROUP_BYTES);
  }
}
