package io.weir.edge;

import java.util.List;

/**
 * Gives due batches their sequence, encoded, and hands them to the journal. Without a disk only so
 * many get one as the send window wants. A batch that cannot be encoded is tried again later, with
 * the sequence that it would have had. For the sender thread.
 */
final class BatchSequencer {
  private final PublisherContext context;
  private final SendWindow window;
  private final JournalWriter journalWriter;
  private final boolean onDisk;
  private final long flushIntervalNanos;
  private final FailureLog log;
  private int firstQueue;

  /**
   * A sequencer that has given none yet.
   *
   * @param onDisk whether batches are kept on disk, so that the send window does not bound them
   */
  BatchSequencer(
      PublisherContext context, SendWindow window, JournalWriter journalWriter, boolean onDisk) {
    this.context = context;
    this.window = window;
    this.journalWriter = journalWriter;
    this.onDisk = onDisk;
    this.flushIntervalNanos = context.settings().flushInterval().toNanos();
    this.log = context.newLog();
  }

  /** Takes the batches of an earlier start; before all others. */
  void resume(List<SequencedBatch> batches) {
    for (SequencedBatch batch : batches) {
      PartitionQueue queue = context.queues().of(batch.partition());
      UnacknowledgedBatch resumed = queue.resume(batch, context.ticker().nanoTime());
      context.limit().acquireResumed(resumed.cost());
      add(resumed);
    }
  }

  /** Sequences what is due in all partitions, each time beginning with another. */
  void sequenceDue(long nowNanos) {
    PartitionQueues<?> queues = context.queues();
    // One tick for all partitions: one sync of the disk and one request for what they have.
    long dueAtNanos = queues.isTickDue(nowNanos) ? nowNanos + flushIntervalNanos : nowNanos;
    firstQueue = (firstQueue + 1) % queues.count();
    for (int i = 0; i < queues.count(); i++) {
      sequenceDue(queues.of((firstQueue + i) % queues.count()), dueAtNanos, nowNanos);
    }
  }

  /** Sequences everything that is due, whatever the window; for the close. */
  void sequenceAll(long nowNanos) {
    for (int i = 0; i < context.queues().count(); i++) {
      boolean more = true;
      while (more) {
        more = sequenceNext(context.queues().of(i), nowNanos, nowNanos);
      }
    }
  }

  /**
   * Nanoseconds until a batch is due that may get its sequence; {@link Long#MAX_VALUE} for none.
   */
  long dueInNanos(long nowNanos) {
    return onDisk || window.wantsMore()
        ? context.queues().dueInNanos(nowNanos, onDisk)
        : Long.MAX_VALUE;
  }

  /** The partition whose batches are sent first this time. */
  int firstQueue() {
    return firstQueue;
  }

  private void sequenceDue(PartitionQueue queue, long dueAtNanos, long nowNanos) {
    boolean more = queue.encoding().remainingNanos(nowNanos) == 0;
    while (more && (onDisk || mayTakeMore(queue))) {
      more = sequenceNext(queue, dueAtNanos, nowNanos);
    }
  }

  private boolean mayTakeMore(PartitionQueue queue) {
    return window.wantsMoreOf(queue.unacknowledged().bytes()) && queue.hasRoom();
  }

  /** Sequences the next due batch; false where none is due or it cannot be encoded. */
  private boolean sequenceNext(PartitionQueue queue, long dueAtNanos, long nowNanos) {
    try {
      // First, so that adding it cannot fail once it has its sequence.
      journalWriter.makeRoom();
      PendingBatch pending = queue.nextDue(dueAtNanos);
      if (pending == null) {
        return false;
      }
      byte[] value =
          pending.encode(
              context.gatewayId(),
              context.bootId(),
              queue.nextSequence(),
              queue.completeness(pending));
      add(queue.sequence(pending, value));
      queue.encoding().reset();
      log.succeeded();
      return true;
    } catch (RuntimeException | Error e) {
      queue.encoding().failed(nowNanos);
      log.failed(
          "a batch of partition %d cannot be encoded".formatted(queue.partition()), e, nowNanos);
      return false;
    }
  }

  private void add(UnacknowledgedBatch batch) {
    window.sequenced(batch);
    journalWriter.add(batch);
  }
}
