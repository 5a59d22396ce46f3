package io.weir.edge;

import java.util.List;

/**
 * Assigns sequences to due batches, encodes them and passes them to the journal. Without a disk,
 * the send window limits their number. If a batch cannot be encoded, it is retried later with the
 * same sequence. Sender thread only.
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
   * A sequencer that has assigned no sequence yet.
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

  /** Enqueues the batches of an earlier start, before all others. */
  void resume(List<SequencedBatch> batches) {
    for (SequencedBatch batch : batches) {
      PartitionQueue queue = context.queues().of(batch.partition());
      UnacknowledgedBatch resumed = queue.resume(batch, context.ticker().nanoTime());
      context.limit().acquireResumed(resumed.cost());
      add(resumed);
    }
  }

  /** Sequences the due batches of all partitions, beginning with another partition each time. */
  void sequenceDue(long nowNanos) {
    PartitionQueues<?> queues = context.queues();
    // One tick for all partitions: one sync of the disk and one request for what they have.
    long dueAtNanos = queues.isTickDue(nowNanos) ? nowNanos + flushIntervalNanos : nowNanos;
    firstQueue = (firstQueue + 1) % queues.count();
    for (int i = 0; i < queues.count(); i++) {
      sequenceDue(queues.of((firstQueue + i) % queues.count()), dueAtNanos, nowNanos);
    }
  }

  /** Sequences all due batches, regardless of the window; for the close. */
  void sequenceAll(long nowNanos) {
    for (int i = 0; i < context.queues().count(); i++) {
      boolean more = true;
      while (more) {
        more = sequenceNext(context.queues().of(i), nowNanos, nowNanos);
      }
    }
  }

  /** Nanoseconds until a batch that may be sequenced is due; {@link Long#MAX_VALUE} for none. */
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

  /** Sequences the next due batch; false if none is due or it cannot be encoded. */
  private boolean sequenceNext(PartitionQueue queue, long dueAtNanos, long nowNanos) {
    try {
      // Reserve first, so that adding the batch cannot fail once it has its sequence.
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
