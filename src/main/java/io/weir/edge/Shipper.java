package io.weir.edge;

import io.weir.wire.BatchColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What the sender thread does, turn by turn: settle what came back, give due batches their
 * sequence, tell the journal, hand over. After a failure everything unacknowledged goes again, in
 * order, with a new sender; the sequences make that safe. A partition that does not get on holds
 * itself alone. A turn looks at the 64 lanes and waits for nothing but the journal and
 * acknowledgements.
 *
 * <p>With a {@link Spool} batches are sequenced and kept on disk whether or not a sender is open,
 * and what finds no room in memory comes back from the disk when there is some.
 */
final class Shipper {
  /** What a turn answers when there will be no other. */
  static final long FINISHED = -1;

  private final String gatewayId;
  private final long bootId;
  private final long flushIntervalNanos;
  private final long answerTimeoutNanos;
  private final Lanes lanes;
  private final QueueGate gate;
  private final StatusBoard status;
  private final ProducerSession session;
  private final Announcer announcer;
  private final Optional<Spool> spool;
  private final PublisherMetrics metrics;
  private final Ticker ticker;
  private final Encoding encoding;
  private final FailureLog encodingLog;
  private final SendWindow window = new SendWindow();
  private final Refusals refusals;
  private final Settlement settlement;
  private final Optional<DropOldest> dropOldest;
  private int firstLane;

  private volatile boolean closing;
  private volatile long closeAtNanos;
  private volatile boolean finished;

  Shipper(
      PublisherSettings settings,
      long bootId,
      Lanes lanes,
      QueueGate gate,
      ProducerSession session,
      StatusBoard status,
      Optional<FileJournal> journal,
      PublisherMetrics metrics,
      Ticker ticker,
      Encoding encoding) {
    this.gatewayId = settings.gatewayId();
    this.bootId = bootId;
    this.flushIntervalNanos = settings.flushInterval().toNanos();
    this.answerTimeoutNanos = settings.answerTimeout().toNanos();
    this.lanes = lanes;
    this.gate = gate;
    this.session = session;
    this.status = status;
    BatchJournal told = journal.isPresent() ? journal.get() : settings.journal();
    this.announcer = new Announcer(told, new FailureLog(gatewayId));
    this.metrics = metrics;
    this.ticker = ticker;
    this.encoding = encoding;
    this.encodingLog = new FailureLog(gatewayId);
    this.refusals = new Refusals(lanes, window, gate.capacity(), new FailureLog(gatewayId));
    this.settlement =
        new Settlement(
            session, refusals, this::acknowledged, announcer, metrics, new FailureLog(gatewayId));
    this.spool =
        journal.map(
            files ->
                new Spool(
                    files,
                    settings.overflow(),
                    lanes,
                    metrics,
                    new ReplayRate(settings.keepReplayRate(), ticker.nanoTime()),
                    new FailureLog(gatewayId)));
    this.dropOldest =
        settings.overflow() == Overflow.DROP_OLDEST && spool.isEmpty()
            ? Optional.of(new DropOldest(lanes, gate, metrics))
            : Optional.empty();
  }

  /** Takes the batches of an earlier life; before the first turn. */
  void resume(List<SequencedBatch> batches) {
    for (SequencedBatch batch : batches) {
      Shipment shipment = lanes.of(batch.partition()).resume(batch);
      gate.enterResumed(shipment.places());
      sequenced(shipment);
    }
  }

  /** Ends when everything accepted is acknowledged, at the latest at that time. For any thread. */
  void closeBy(long nanos) {
    closeAtNanos = nanos;
    closing = true;
  }

  /** Ends with the next turn. For any thread. */
  void closeNow() {
    closeBy(ticker.nanoTime());
    // A send that waits for brokers would outlast the time; nothing else is interrupted.
    session.cancelSends();
  }

  boolean isCancelled() {
    return session.isCancelled();
  }

  /** Waits at most so long for the producer to end. After the last turn. */
  void awaitStopped(long nanos) {
    session.awaitStopped(nanos);
  }

  /** Accepted and not acknowledged. For any thread. */
  long unacknowledgedReadings() {
    return gate.readings() + spool.map(Spool::unacknowledgedReadings).orElse(0L);
  }

  /** Whether what is left after the last turn is on disk. */
  boolean keepsOnDisk() {
    return spool.isPresent();
  }

  /** Completes when everything accepted so far is acknowledged. For any thread. */
  CompletableFuture<Void> flush() {
    FlushTicket ticket = new FlushTicket();
    lanes.flush(ticket);
    ticket.partDone();
    // Whoever comes after the last turn finds nobody who would complete it.
    if (finished) {
      ticket.abandon();
    }
    return ticket.done();
  }

  /**
   * One turn.
   *
   * @return nanoseconds until the next one is needed if nothing rings before, {@link
   *     Long#MAX_VALUE} for none, or {@link #FINISHED}
   */
  long turn() {
    long nowNanos = ticker.nanoTime();
    settle(nowNanos);
    if (closing && (closeAtNanos - nowNanos <= 0 || lanes.areDone())) {
      return FINISHED;
    }
    dropOldest.ifPresent(queue -> queue.drop(nowNanos, this::dropped));
    boolean open = session.isOpen(nowNanos);
    if (open) {
      status.open(lanes.held());
    }
    long untilNext = open ? Long.MAX_VALUE : session.retryInNanos(nowNanos);
    if (open || spool.isPresent()) {
      untilNext = Math.min(untilNext, keep(nowNanos));
    }
    if (open) {
      untilNext = Math.min(untilNext, send(nowNanos));
      long unansweredNanos = lanes.unansweredNanos(nowNanos);
      if (unansweredNanos > 0) {
        untilNext = Math.min(untilNext, Math.max(1, answerTimeoutNanos - unansweredNanos));
      }
    }
    return closing ? Math.min(untilNext, Math.max(0, closeAtNanos - nowNanos)) : untilNext;
  }

  /** Something unforeseen was thrown by a turn: everything goes again with a new sender. */
  void fail(Throwable cause) {
    session.fail(cause);
    recover(ticker.nanoTime());
  }

  /**
   * Stops sending and says what is left; what is on disk is not part of it. After the last turn.
   */
  PublisherState finish() {
    session.stop();
    settlement.settle(ticker.nanoTime());
    for (int lane = 0; lane < lanes.count(); lane++) {
      sequenceAll(lanes.of(lane), ticker.nanoTime());
    }
    List<SequencedBatch> left = new ArrayList<>();
    if (spool.isPresent()) {
      announcer.tryAtOnce();
      announcer.announce(ticker.nanoTime());
      letKeptGo(ticker.nanoTime());
      spool.get().close(ticker.nanoTime());
    } else {
      lanes.unacknowledged().forEach(shipment -> left.add(shipment.batch()));
    }
    announcer.waiting().forEach(shipment -> left.add(shipment.batch()));
    finished = true;
    status.closed();
    lanes.abandonFlushes();
    return new PublisherState(gatewayId, bootId, lanes.lastSequences(), left);
  }

  private void settle(long nowNanos) {
    settlement.settle(nowNanos);
    refusals.holdSilent(nowNanos);
    if (lanes.unansweredNanos(nowNanos) > answerTimeoutNanos) {
      // Its network thread is dead, for want of memory perhaps: it would never say a word.
      session.fail(new IllegalStateException("the producer does not answer"));
    }
    if (session.hasFailed()) {
      recover(nowNanos);
    }
  }

  private void recover(long nowNanos) {
    session.stop();
    settlement.settle(nowNanos);
    if (session.failedForAll()) {
      window.cut();
    }
    session.replaceLater(nowNanos);
    lanes.rewind();
    window.emptied();
    metrics.producerGivenUp();
  }

  /** Gives due batches their sequence and tells the journal; what it keeps may be sent. */
  private long keep(long nowNanos) {
    // One tick for all partitions: one sync of the disk and one request for what they have.
    long dueAtNanos = lanes.isTickDue(nowNanos) ? nowNanos + flushIntervalNanos : nowNanos;
    boolean room = spool.map(kept -> kept.makeRoom(nowNanos)).orElse(true);
    firstLane = (firstLane + 1) % lanes.count();
    for (int i = 0; room && i < lanes.count(); i++) {
      sequenceDue(lanes.of((firstLane + i) % lanes.count()), dueAtNanos, nowNanos);
    }
    boolean kept = announcer.announce(nowNanos);
    letKeptGo(nowNanos);
    long untilTidy = spool.map(files -> files.tidy(nowNanos)).orElse(Long.MAX_VALUE);
    if (!kept) {
      return announcer.retryInNanos(nowNanos);
    }
    boolean more = room && (spool.isPresent() || window.wantsMore());
    long untilDue = more ? lanes.dueInNanos(nowNanos, spool.isPresent()) : Long.MAX_VALUE;
    return Math.min(untilTidy, untilDue);
  }

  private void letKeptGo(long nowNanos) {
    for (Shipment next = announcer.nextKept(); next != null; next = announcer.nextKept()) {
      if (spool.isPresent()) {
        gate.leave(next.places());
        next.lane().left(next.accepted());
        settlement.tellKept(next, nowNanos);
        if (!spool.get().staysInMemory(next)) {
          forget(next);
          announcer.keptTaken();
          continue;
        }
      }
      next.lane().enqueue(next);
      announcer.keptTaken();
    }
  }

  /** A batch on disk left the queue when it was kept. */
  private void acknowledged(Shipment shipment) {
    if (spool.isEmpty()) {
      gate.leave(shipment.places());
      shipment.lane().left(shipment.accepted());
    }
  }

  /** A batch left its lane and is never sent. */
  private void dropped(Shipment shipment) {
    if (!shipment.lane().hold().isHeld()) {
      window.forget(shipment.bytes());
    }
    acknowledged(shipment);
    if (shipment.bytes() > 0) {
      settlement.tellJournal(shipment, ticker.nanoTime());
    }
    shipment.lane().settled(shipment.accepted());
  }

  private void forget(Shipment shipment) {
    shipment.lane().forget(shipment);
    if (!shipment.lane().hold().isHeld()) {
      window.forget(shipment.bytes());
    }
  }

  private long send(long nowNanos) {
    boolean more = spool.isPresent() && spool.get().refill(this::loaded, nowNanos);
    for (int i = 0; i < lanes.count(); i++) {
      if (!handOver(lanes.of((firstLane + i) % lanes.count()), nowNanos)) {
        return 0;
      }
    }
    if (more) {
      return 0;
    }
    long untilReplay = spool.map(Spool::replayInNanos).orElse(Long.MAX_VALUE);
    return Math.min(untilReplay, lanes.retryInNanos(nowNanos));
  }

  private void loaded(SequencedBatch batch) {
    Shipment shipment = lanes.of(batch.partition()).loaded(batch);
    if (!shipment.lane().hold().isHeld()) {
      window.sequenced(shipment.bytes());
    }
    shipment.lane().enqueue(shipment);
  }

  private void sequenceDue(PartitionLane lane, long dueAtNanos, long nowNanos) {
    boolean more = lane.encoding().remainingNanos(nowNanos) == 0;
    while (more && (spool.isPresent() || mayTakeMore(lane))) {
      more = sequenceNext(lane, dueAtNanos, nowNanos);
    }
  }

  private boolean mayTakeMore(PartitionLane lane) {
    return window.wantsMoreOf(lane.bytesUnderWay()) && lane.hasRoom();
  }

  private void sequenceAll(PartitionLane lane, long nowNanos) {
    boolean more = true;
    while (more) {
      more = sequenceNext(lane, nowNanos, nowNanos);
    }
  }

  /** Gives the next due batch its sequence; false where none is due or it cannot be encoded. */
  private boolean sequenceNext(PartitionLane lane, long dueAtNanos, long nowNanos) {
    try {
      announcer.makeRoom();
      Shipment shipment = lane.sequenceDue(dueAtNanos, this::encode);
      if (shipment == null) {
        return false;
      }
      sequenced(shipment);
      lane.encoding().reset();
      encodingLog.succeeded();
      return true;
    } catch (RuntimeException | Error e) {
      lane.encoding().failed(nowNanos);
      encodingLog.failed(
          "a batch of partition %d cannot be encoded".formatted(lane.partition()), e, nowNanos);
      return false;
    }
  }

  private byte[] encode(long sequence, PendingBatch pending) {
    return encoding.encode(gatewayId, bootId, sequence, pending.columns());
  }

  /** Readings to the bytes of a batch; a test has one that fails. */
  @FunctionalInterface
  interface Encoding {
    byte[] encode(String gatewayId, long bootId, long sequence, BatchColumns columns);
  }

  private void sequenced(Shipment shipment) {
    if (!shipment.lane().hold().isHeld()) {
      window.sequenced(shipment.bytes());
    }
    announcer.add(shipment);
  }

  /** Hands over what waits while the window is open; false where the sender failed. */
  private boolean handOver(PartitionLane lane, long nowNanos) {
    while (window.isOpen()) {
      Shipment shipment = lane.handOver(nowNanos, refusals.aloneFromBytes());
      if (shipment == null) {
        return true;
      }
      if (!lane.hold().isHeld()) {
        window.handedOver(shipment.bytes());
      }
      if (shipment.sentAgain()) {
        metrics.sentAgain();
      } else {
        metrics.firstSent(shipment);
      }
      if (!session.send(shipment)) {
        return false;
      }
    }
    return true;
  }
}
