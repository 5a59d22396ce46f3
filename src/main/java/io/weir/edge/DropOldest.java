package io.weir.edge;

/**
 * Implements {@link Overflow#DROP_OLDEST} without a disk: drops the oldest batches that are not in
 * flight while the queue is full or a stalled partition exceeds its share. Sender thread only.
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
   * Drops the next batch and returns it; the caller releases it before the next call. Null if
   * nothing need be dropped or the candidates are in flight.
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
