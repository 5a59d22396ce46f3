package io.weir.cli.plan;

/** The resources of sensor status; zero if it is off. Transitions are too few to count. */
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

  /** Bytes on weir.status, which is compacted: twice the live records. */
  double atRest() {
    return 2 * sensors * figures.statusBytes().value();
  }
}
