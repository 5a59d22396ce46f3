package io.weir.edge;

import java.util.function.Consumer;

/**
 * Drops the oldest batches that are not in flight while the queue is full, or a partition that
 * stands still has more than its share: {@link Overflow#DROP_OLDEST} without a disk. For the sender
 * thread.
 */
final class DropOldest {
  private final Lanes lanes;
  private final QueueGate gate;
  private final PublisherMetrics metrics;

  DropOldest(Lanes lanes, QueueGate gate, PublisherMetrics metrics) {
    this.lanes = lanes;
    this.gate = gate;
    this.metrics = metrics;
  }

  /**
   * Drops what has to go.
   *
   * @param gone is told of each batch
   */
  void drop(long nowNanos, Consumer<Shipment> gone) {
    for (int i = 0; i < lanes.count(); i++) {
      PartitionLane lane = lanes.of(i);
      while (lane.isOverShare() && dropOne(lane, gone)) {
        // Until it has its share.
      }
    }
    while (gate.isDropping() && dropOne(lanes.withOldest(nowNanos), gone)) {
      // Until there is room, or everything is in flight.
    }
  }

  private boolean dropOne(PartitionLane lane, Consumer<Shipment> gone) {
    Shipment dropped = lane.dropOldest();
    if (dropped == null) {
      return false;
    }
    metrics.dropped(dropped.accepted());
    gone.accept(dropped);
    return true;
  }
}
