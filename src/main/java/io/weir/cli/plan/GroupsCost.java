package io.weir.cli.plan;

import io.weir.cli.plan.PlannedJobs.GroupLoad;

/** What windows of groups take. */
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

  /** Windows of a group that are in memory: those within keep, and the one that fills. */
  double windowsOfGroup() {
    return Math.ceil(load.keepMs() / spanMs()) + 1;
  }

  double windowsPerSecond() {
    return load.groups() * 1000 / spanMs();
  }

  /** Summaries of sensors that come to their groups. */
  double partsPerSecond() {
    return in.sensors() * 1000 / spanMs();
  }

  double heapBytes() {
    return load.groups() * windowsOfGroup() * figures.groupHeap().at(sensorsOfGroup());
  }

  /**
   * A window is put at each commit that brought it a part, when it is emitted and when it is
   * deleted; each part once, and deleted.
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
