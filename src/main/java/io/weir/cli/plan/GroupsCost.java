package io.weir.cli.plan;

import io.weir.cli.plan.PlannedJobs.GroupLoad;

/** The resources of group windows. */
final class GroupsCost {
  private final PlanInput in;
  private final JobFigures figures;
  private final GroupLoad load;

  GroupsCost(PlanInput in, JobFigures figures, GroupLoad load) {
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
    return load.groups() * windowsOfGroup() * figures.groupHeap().at(sensorsOfGroup());
  }

  /**
   * A window is written at each commit with a new part, at its emission and at its deletion; each
   * part is written once and deleted.
   */
  double changelogBytesPerSecond() {
    double deletion = figures.deletion().value();
    double commits = Math.max(1, in.periodMs() / in.betweenCommitsMs());
    double puts = 1 + Math.min(sensorsOfGroup(), commits);
    double window = puts * figures.groupWindowEntry().value() + deletion;
    double part = figures.groupPartEntry().value() + deletion;
    return windowsPerSecond() * window + partsPerSecond() * part;
  }

  double changelogLive() {
    return load.groups() * windowsOfGroup() * figures.groupKept().at(sensorsOfGroup());
  }

  double partsBytesPerSecond() {
    return partsPerSecond() * figures.groupPartBytes().value();
  }

  double groupsBytesPerSecond() {
    return windowsPerSecond() * figures.groupBytes().value();
  }
}
