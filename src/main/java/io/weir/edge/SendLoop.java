package io.weir.edge;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The loop of the sender thread: handle outcomes, sequence due batches, write them to the journal,
 * send them. After a failure all unacknowledged batches are sent again, in order, with a new
 * producer; the sequences make that safe. A stalled partition is muted individually. A run visits
 * the 64 partitions and blocks only on the journal and acknowledgements.
 *
 * <p>With a {@link Spool}, batches are sequenced and stored on disk even if no producer is open;
 * batches that do not fit in memory are read back later.
 */
final class SendLoop {
  /** Result of the last {@link #runOnce}. */
  static final long FINISHED = -1;

  private final PublisherContext context;
  private final PartitionQueues<?> queues;
  private final ProducerSession session;
  private final SendWindow window = new SendWindow();
  private final JournalWriter journalWriter;
  private final Optional<Spool> spool;
  private final Optional<DropOldest> dropOldest;
  private final BatchSequencer sequencer;
  private final PartitionMuting muting;
  private final BatchDispatcher dispatcher;
  private final AckHandler ackHandler;
  private final long answerTimeoutNanos;

  private volatile boolean closing;
  private volatile long closeAtNanos;
  private volatile boolean finished;

  SendLoop(PublisherContext context, ProducerSession session, Optional<FileJournal> files) {
    PublisherSettings settings = context.settings();
    this.context = context;
    this.queues = context.queues();
    this.session = session;
    this.answerTimeoutNanos = ProducerSettings.answerTimeout(settings.kafka()).toNanos();
    BatchJournal journal = files.isPresent() ? files.get() : settings.journal();
    this.journalWriter = new JournalWriter(journal, context.newLog());
    this.spool = files.map(onDisk -> new Spool(context, onDisk));
    this.dropOldest =
        settings.overflow() == Overflow.DROP_OLDEST && files.isEmpty()
            ? Optional.of(new DropOldest(context))
            : Optional.empty();
    this.sequencer = new BatchSequencer(context, window, journalWriter, files.isPresent());
    this.muting = new PartitionMuting(context, window);
    this.dispatcher = new BatchDispatcher(context, session, window, muting);
    this.ackHandler = new AckHandler(context, session, muting, journalWriter);
  }

  /** Enqueues the batches of earlier starts; called once, before the first offer. */
  void resume() {
    spool.ifPresent(Spool::resume);
    sequencer.resume(context.settings().start().unacknowledged());
  }

  /** Ends the loop when everything accepted is acknowledged, or at that time. Thread-safe. */
  void closeBy(long nanos) {
    closeAtNanos = nanos;
    closing = true;
  }

  /** Ends the loop with the next run. Thread-safe. */
  void closeNow() {
    closeBy(context.ticker().nanoTime());
    // A send that blocks on brokers could exceed the timeout; nothing else is interrupted.
    session.cancelSends();
  }

  /** Whether blocked sends were cancelled. */
  boolean isCancelled() {
    return session.isCancelled();
  }

  /** Waits up to the timeout for the producer to close. Call after the last run. */
  void awaitStopped(long nanos) {
    session.awaitStopped(nanos);
  }

  /** Whether the journal has room and its last write succeeded. Thread-safe. */
  boolean canStore() {
    return !journalWriter.isFailing() && spool.map(Spool::hasRoom).orElse(true);
  }

  /** Number of accepted, unacknowledged readings. Thread-safe. */
  long unacknowledgedReadings() {
    return context.limit().readings() + spool.map(Spool::unacknowledgedReadings).orElse(0L);
  }

  /** Whether the unacknowledged batches are on disk after the last run. */
  boolean keepsOnDisk() {
    return spool.isPresent();
  }

  /** Completes when everything accepted so far is acknowledged. Thread-safe. */
  CompletableFuture<Void> flush() {
    FlushTicket ticket = new FlushTicket();
    queues.flush(ticket);
    ticket.partDone();
    // After the last run nothing would complete it.
    if (finished) {
      ticket.abandon();
    }
    return ticket.done();
  }

  /**
   * Runs once.
   *
   * @return nanoseconds until the next run unless the thread is woken before, {@link
   *     Long#MAX_VALUE} for none, or {@link #FINISHED}
   */
  long runOnce() {
    long nowNanos = context.ticker().nanoTime();
    handleAnswers(nowNanos);
    if (closing && (closeAtNanos - nowNanos <= 0 || queues.areDone())) {
      return FINISHED;
    }
    dropOldest.ifPresent(oldest -> drop(oldest, nowNanos));
    boolean open = session.isOpen(nowNanos);
    long untilNext = Long.MAX_VALUE;
    if (open) {
      context.status().open(queues.muted());
    } else {
      untilNext = session.retryInNanos(nowNanos);
    }
    if (open || spool.isPresent()) {
      untilNext = Math.min(untilNext, sequenceAndWrite(nowNanos));
    }
    if (open) {
      untilNext = Math.min(untilNext, send(nowNanos));
    }
    return closing ? Math.min(untilNext, Math.max(0, closeAtNanos - nowNanos)) : untilNext;
  }

  /**
   * A run threw an unexpected exception: all unacknowledged batches are sent again with a new
   * producer.
   */
  void fail(Throwable cause) {
    session.fail(cause);
    recover(context.ticker().nanoTime());
  }

  /**
   * Stops sending and returns the remaining state, without batches on disk. Call after the last
   * run.
   */
  PublisherState finish() {
    session.stop();
    long nowNanos = context.ticker().nanoTime();
    ackHandler.handleAll(nowNanos);
    sequencer.sequenceAll(nowNanos);
    List<SequencedBatch> left = new ArrayList<>();
    if (spool.isPresent()) {
      journalWriter.tryAtOnce();
      journalWriter.write(nowNanos);
      enqueueWritten(nowNanos);
      spool.get().close(nowNanos);
    } else {
      queues.unacknowledged().forEach(batch -> left.add(batch.sequenced()));
    }
    journalWriter.waiting().forEach(batch -> left.add(batch.sequenced()));
    finished = true;
    context.status().closed();
    queues.abandonFlushes();
    return new PublisherState(context.gatewayId(), context.bootId(), queues.lastSequences(), left);
  }

  private void handleAnswers(long nowNanos) {
    ackHandler.handleAll(nowNanos);
    muting.muteSilent(nowNanos);
    if (queues.unansweredNanos(nowNanos) > answerTimeoutNanos) {
      session.fail(new IllegalStateException("the producer does not respond"));
    }
    session.failIfDead();
    if (session.hasFailed()) {
      recover(nowNanos);
    }
  }

  private void recover(long nowNanos) {
    session.stop();
    ackHandler.handleAll(nowNanos);
    if (session.failedForAll()) {
      window.cut();
    }
    session.replaceLater(nowNanos);
    queues.rewind();
    window.emptied();
    context.metrics().producerGivenUp();
  }

  /** Sequences due batches and writes them to the journal. */
  private long sequenceAndWrite(long nowNanos) {
    boolean room = spool.map(onDisk -> onDisk.makeRoom(nowNanos)).orElse(true);
    if (room) {
      sequencer.sequenceDue(nowNanos);
    }
    boolean written = journalWriter.write(nowNanos);
    enqueueWritten(nowNanos);
    long untilTidy = spool.map(onDisk -> onDisk.tidy(nowNanos)).orElse(Long.MAX_VALUE);
    if (!written) {
      return journalWriter.retryInNanos(nowNanos);
    }
    return Math.min(untilTidy, room ? sequencer.dueInNanos(nowNanos) : Long.MAX_VALUE);
  }

  private void enqueueWritten(long nowNanos) {
    spool.ifPresent(this::enqueueReloaded);
    for (UnacknowledgedBatch next = journalWriter.nextWritten();
        next != null;
        next = journalWriter.nextWritten()) {
      if (spool.isPresent()) {
        queues.release(next, context.limit());
        ackHandler.acknowledgeReadings(next, nowNanos);
      }
      if (spool.isEmpty() || spool.get().staysInMemory(next)) {
        queues.of(next).enqueue(next);
      } else {
        queues.of(next).forget(next);
        window.forget(next);
      }
      journalWriter.removeWritten();
    }
  }

  private long send(long nowNanos) {
    boolean more = spool.isPresent() && reload(spool.get(), nowNanos);
    if (!dispatcher.send(sequencer.firstQueue(), nowNanos) || more) {
      return 0;
    }
    long untilReplay = spool.map(Spool::replayInNanos).orElse(Long.MAX_VALUE);
    long untilRetry = Math.min(untilReplay, queues.retryInNanos(nowNanos));
    long unansweredNanos = queues.unansweredNanos(nowNanos);
    return unansweredNanos == 0
        ? untilRetry
        : Math.min(untilRetry, Math.max(1, answerTimeoutNanos - unansweredNanos));
  }

  /** Reads batches from disk while memory is free; returns whether there may be more. */
  private boolean reload(Spool onDisk, long nowNanos) {
    try {
      return onDisk.refill(nowNanos);
    } finally {
      enqueueReloaded(onDisk);
    }
  }

  /** Also after an incomplete read: newer batches of their partitions must not overtake them. */
  private void enqueueReloaded(Spool onDisk) {
    for (UnacknowledgedBatch next = onDisk.nextReloaded();
        next != null;
        next = onDisk.nextReloaded()) {
      queues.of(next).enqueue(next);
      onDisk.removeReloaded();
      window.sequenced(next);
    }
  }

  private void drop(DropOldest oldest, long nowNanos) {
    for (UnacknowledgedBatch next = oldest.next(nowNanos);
        next != null;
        next = oldest.next(nowNanos)) {
      window.forget(next);
      queues.release(next, context.limit());
      if (next.bytes() > 0) {
        ackHandler.notifyJournal(next, nowNanos);
      }
      queues.of(next).settled(next.sequenced());
    }
  }

  /**
   * Handles the outcomes of sent batches. An acknowledged batch leaves the queue and its waiters
   * are notified; a rejected batch mutes its partition; any other failure closes the producer.
   * Sender thread only.
   */
  static final class AckHandler {
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
        session.fail(
            new IllegalStateException("a batch was acknowledged before the one before it"));
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
     * Calls the acknowledgements of readings that brokers have acknowledged or that are on disk.
     */
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

  /** Passes waiting batches to the producer while the send window is open. Sender thread only. */
  static final class BatchDispatcher {
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

  /**
   * Implements {@link Overflow#DROP_OLDEST} without a disk: drops the oldest batches that are not
   * in flight while the queue is full or a stalled partition exceeds its share. Sender thread only.
   */
  static final class DropOldest {
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
}
