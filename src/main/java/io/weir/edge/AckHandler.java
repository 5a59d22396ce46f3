package io.weir.edge;

/**
 * Handles the outcomes of sent batches. An acknowledged batch leaves the queue and its waiters are
 * notified; a rejected batch mutes its partition; any other failure closes the producer. Sender
 * thread only.
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

  /** Handles all outcomes that have been reported so far. */
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

  /** Calls the acknowledgements of readings that brokers have acknowledged or that are on disk. */
  void acknowledgeReadings(UnacknowledgedBatch batch, long nowNanos) {
    for (Acknowledgement acknowledgement : batch.takeAcknowledgements()) {
      guarded("an acknowledgement threw", acknowledgement::acknowledged, nowNanos);
    }
  }

  /** Tells the journal that it may delete the batch. */
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
