package io.weir.cli.plan;

/** The pods of {@code weir events}: their memory, and the effect of a pod failure. */
final class EventsPods {
  private final PlanInput in;
  private final EventsCost cost;
  private final double restoreBytes;

  EventsPods(PlanInput in, EventsCost cost, double restoreBytes) {
    this.in = in;
    this.cost = cost;
    this.restoreBytes = restoreBytes;
  }

  int pods() {
    return cost.load().pods();
  }

  /** The heap of a pod among this number of pods, calculated as for the aggregator. */
  double heap(int alive) {
    return Plan.heap(cost.stateBytes(), alive, in);
  }

  /** The memory limit with which a pod survives the failure of another. */
  double limit() {
    return heap(Math.max(1, pods() - 1)) / Plan.HEAP_SHARE;
  }

  double changelogAtRest() {
    return Plan.changelogAtRest(cost.changelogLive(), cost.changelogBytesPerSecond());
  }

  double restoreSeconds() {
    return changelogAtRest() / pods() / restoreBytes;
  }
}
