package io.weir.edge;

import java.util.function.Consumer;

/**
 * Drops the oldest batches that are not in flight while the queue is full, or a partition that
 * stalls has more than its share: {@link Overflow#DROP_OLDEST} without a disk. For the sender
 * thread.
 */
final class DropOldest {
  private final PartitionQueues<?> queues;
  private final QueueLimit limit;
  private final PublisherMetrics metrics;

  DropOldest(PublisherContext context) {
    this.queues = context.queues();
    this.limit = context.limit();
    this.metrics = context.metrics();
  }

  /**
   * Drops what has to go.
   *
   * @param gone receives each dropped batch
   */
  void drop(long nowNanos, Consumer<UnacknowledgedBatch> gone) {
    for (int i = 0; i < queues.count(); i++) {
      PartitionQueue queue = queues.of(i);
      while (queue.isOverShare() && dropOne(queue, gone)) {
        // Until it has its share.
      }
    }
    while (limit.isDropping() && dropOne(queues.withOldest(nowNanos), gone)) {
      // Until there is room, or everything is in flight.
    }
  }

  private boolean dropOne(PartitionQueue queue, Consumer<UnacknowledgedBatch> gone) {
    UnacknowledgedBatch dropped = queue.dropOldest();
    if (dropped == null) {
      return false;
    }
    metrics.dropped(dropped.accepted());
    gone.accept(dropped);
    return true;
  }
}
