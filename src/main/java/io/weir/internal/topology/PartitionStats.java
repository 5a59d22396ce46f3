package io.weir.internal.topology;

import io.weir.internal.store.PartitionState;
import io.weir.internal.window.WindowLimits;
import io.weir.reading.Gateways;

/**
 * Reports figures of a partition: cheap ones each time, those that cost a walk through the state
 * now and then, those that name gateways only when they have changed. Called by the task's thread.
 */
final class PartitionStats {
  private static final long COUNT_INTERVAL_MS = 30_000;

  private final int partition;
  private final PartitionState state;
  private final WindowLimits limits;
  private final int maxGateways;
  private final Measures measures;
  private long windows;
  private long nextCountMs = Long.MIN_VALUE;
  private long missingChanges = -1;
  private long lostForGood;

  PartitionStats(
      int partition, PartitionState state, TopologySettings settings, Measures measures) {
    this.partition = partition;
    this.state = state;
    this.limits = settings.windowLimits();
    this.maxGateways = settings.gateways().maxGateways();
    this.measures = measures;
  }

  /**
   * @param nowMs of any monotonic clock; called again within a second or so
   */
  void report(long nowMs) {
    if (nowMs >= nextCountMs) {
      windows = state.windows().countWindows();
      reportCaps();
      nextCountMs = nowMs + COUNT_INTERVAL_MS;
    }
    measures.partition(partition, state.windows().sensors(), windows);
    if (state.statuses().isOn()) {
      measures.statuses(partition, state.statuses().counts());
    }
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

  private void reportCaps() {
    measures.capsUsed(
        partition,
        (double) state.windows().sensors() / limits.maxSensors(),
        (double) state.gateways().size() / maxGateways,
        (double) state.windows().owners().mostSensorsOfOne() / limits.maxSensorsPerGateway());
  }
}
