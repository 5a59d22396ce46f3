package io.weir.edge;

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
   * Gives up the next batch that has to go, which is to be released before this is asked again;
   * null where none has to, or those that should are in flight.
   */
  UnacknowledgedBatch next(long nowNanos) {
    for (int i = 0; i < queues.count(); i++) {
      PartitionQueue queue = queues.of(i);
      UnacknowledgedBatch ofItsShare = queue.isOverShare() ? drop(queue) : null;
      if (ofItsShare != null) {
        return ofItsShare;
      }
    }
    return limit.isDropping() ? drop(queues.withOldest(nowNanos)) : null;
  }

  private UnacknowledgedBatch drop(PartitionQueue queue) {
    UnacknowledgedBatch dropped = queue.dropOldest();
    if (dropped != null) {
      metrics.dropped(dropped.accepted());
    }
    return dropped;
  }
}
