package io.weir.topology;

import io.weir.reading.Gateways;
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
  private long missingChanges = -1;
  private long lostForGood;

  Standing(int partition, PartitionState state, Measures measures) {
    this.partition = partition;
    this.state = state;
    this.measures = measures;
  }

  /**
   * @param nowMs of any monotonic clock; called again within a second or so
   */
  void tell(long nowMs) {
    if (nowMs >= nextCountMs) {
      windows = state.windows().countWindows();
      nextCountMs = nowMs + COUNT_INTERVAL_MS;
    }
    measures.partition(partition, state.windows().sensors(), windows);
    Gateways gateways = state.gateways();
    if (gateways.missingChanges() != missingChanges) {
      measures.missingBatches(partition, gateways.missingByGateway());
      missingChanges = gateways.missingChanges();
    }
    if (gateways.lostForGood() > lostForGood) {
      measures.batchesLostForGood(gateways.lostForGood() - lostForGood);
    }
    lostForGood = gateways.lostForGood();
  }
}
