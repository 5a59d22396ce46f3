package io.weir.topology;

import io.weir.store.PartitionState;

/**
 * Tells how a partition stands: what is at hand each time, what costs a walk through the state now
 * and then, what names gateways only when it has changed. Called by the task's thread.
 */
final class Standing {
  private static final long COUNT_INTERVAL_MS = 30_000;

  private final int partition;
  private final PartitionState state;
  private final Measures measures;
  private long windows;
  private long nextCountMs = Long.MIN_VALUE;
  private long lostChanges = -1;

  Standing(int partition, PartitionState state, Measures measures) {
    this.partition = partition;
    this.state = state;
    this.measures = measures;
  }

  /**
   * @param nowMs of any monotonic clock
   */
  void tell(long nowMs) {
    if (nowMs >= nextCountMs) {
      windows = state.windows().countWindows();
      nextCountMs = nowMs + COUNT_INTERVAL_MS;
    }
    measures.partition(partition, state.windows().sensors(), windows);
    if (state.gateways().lostChanges() != lostChanges) {
      measures.lostBatches(partition, state.gateways().lostByGateway());
      lostChanges = state.gateways().lostChanges();
    }
  }
}
