package io.weir.edge;

/** Passes waiting batches to the producer while the send window is open. Sender thread only. */
final class BatchDispatcher {
  private final PublisherContext context;
  private final ProducerSession session;
  private final SendWindow window;
  private final PartitionMuting muting;

  BatchDispatcher(
      PublisherContext context,
      ProducerSession session,
      SendWindow window,
      PartitionMuting muting) {
    this.context = context;
    this.session = session;
    this.window = window;
    this.muting = muting;
  }

  /**
   * Sends the waiting batches of all partitions, starting with this one; false if the producer
   * failed.
   */
  boolean send(int firstQueue, long nowNanos) {
    PartitionQueues<?> queues = context.queues();
    for (int i = 0; i < queues.count(); i++) {
      if (!send(queues.of((firstQueue + i) % queues.count()), nowNanos)) {
        return false;
      }
    }
    return true;
  }

  private boolean send(PartitionQueue queue, long nowNanos) {
    while (window.isOpen()) {
      UnacknowledgedBatch batch = queue.handOver(nowNanos, muting.aloneFromBytes());
      if (batch == null) {
        return true;
      }
      window.handedOver(batch);
      if (batch.sentAgain()) {
        context.metrics().sentAgain();
      } else {
        context.metrics().firstSent(batch);
      }
      if (!session.send(batch)) {
        return false;
      }
    }
    return true;
  }
}
