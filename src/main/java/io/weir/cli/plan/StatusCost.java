package io.weir.cli.plan;

/** What the status of sensors takes; nothing where it is off. Turns are too few to count. */
final class StatusCost {
  private final double sensors;
  private final JobFigures figures;

  StatusCost(PlanInput in, PlanFigures figures) {
    this.sensors = in.jobs().status() ? in.sensors() : 0;
    this.figures = figures.jobs();
  }

  double heapBytes() {
    return sensors * figures.statusHeap().value();
  }

  double changelogLive() {
    return sensors * figures.statusKept().value();
  }

  /** On weir.status, which is compacted: what is live, twice. */
  double atRest() {
    return 2 * sensors * figures.statusBytes().value();
  }
}
