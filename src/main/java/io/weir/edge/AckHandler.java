package io.weir.edge;

/**
 * Handles what came back for batches that were handed over: acknowledged, they leave the queue and
 * all waiters are notified; refused, their partition is muted; any other failure ends the producer.
 * For the sender thread.
 */
final class AckHandler {
  private final PublisherContext context;
  private final ProducerSession session;
  private final PartitionMuting muting;
  private final JournalWriter journalWriter;
  private final FailureLog callbackLog;

  AckHandler(
      PublisherContext context,
      ProducerSession session,
      PartitionMuting muting,
      JournalWriter journalWriter) {
    this.context = context;
    this.session = session;
    this.muting = muting;
    this.journalWriter = journalWriter;
    this.callbackLog = context.newLog();
  }

  /** Handles all that came back until now. */
  void handleAll(long nowNanos) {
    ProducerSession.Outcome outcome = session.poll();
    while (outcome != null) {
      if (outcome.failure() == null) {
        acknowledged(outcome.batch(), nowNanos);
      } else {
        failed(outcome.batch(), outcome.failure(), nowNanos);
      }
      outcome = session.poll();
    }
  }

  private void failed(UnacknowledgedBatch batch, Exception failure, long nowNanos) {
    boolean refused =
        failure instanceof BatchRefusedException refusal && refusal.isOf(batch.sequenced());
    boolean ofItsPartition = refused || muting.concernsItsPartitionAlone(batch, failure);
    if (refused) {
      muting.refused(batch, (BatchRefusedException) failure, nowNanos);
    } else if (ofItsPartition) {
      muting.notDelivered(batch, failure, nowNanos);
    }
    if (!ofItsPartition) {
      session.fail(failure);
    } else if (!batch.isAlone()) {
      session.failForOnePartition(failure);
    }
  }

  private void acknowledged(UnacknowledgedBatch batch, long nowNanos) {
    PartitionQueue queue = context.queues().of(batch);
    if (!queue.acknowledge(batch)) {
      session.fail(new IllegalStateException("a batch was acknowledged before the one before it"));
      return;
    }
    muting.acknowledged(batch);
    context.metrics().acknowledged(batch, nowNanos);
    session.succeeded(nowNanos);
    context.queues().release(batch, context.limit());
    acknowledgeReadings(batch, nowNanos);
    notifyJournal(batch, nowNanos);
    queue.settled(batch.sequenced());
  }

  /**
   * Notifies the callers whose readings cannot be lost any more: brokers have them, or the disk.
   */
  void acknowledgeReadings(UnacknowledgedBatch batch, long nowNanos) {
    for (Acknowledgement acknowledgement : batch.takeAcknowledgements()) {
      guarded("an acknowledgement threw", acknowledgement::acknowledged, nowNanos);
    }
  }

  /** The journal need not keep the batch any more. */
  void notifyJournal(UnacknowledgedBatch batch, long nowNanos) {
    guarded("the journal threw", () -> journalWriter.acknowledged(batch.sequenced()), nowNanos);
  }

  private void guarded(String what, Runnable action, long nowNanos) {
    try {
      action.run();
    } catch (Throwable e) {
      callbackLog.failed(what, e, nowNanos);
    }
  }
}
