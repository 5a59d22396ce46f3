package io.weir.edge;

import io.weir.wire.BatchColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What the sender thread does, turn by turn: settle what came back, give due batches their
 * sequence, tell the journal, hand over. After a failure everything unacknowledged goes again, in
 * order, with a new sender; the sequences make that safe. A batch refused as too large holds its
 * own partition alone. A turn looks at the 64 lanes and waits for nothing but the sender, the
 * journal and acknowledgements.
 */
final class Shipper {
  /** What a turn answers when there will be no other. */
  static final long FINISHED = -1;

  private final String gatewayId;
  private final long bootId;
  private final Lanes lanes;
  private final QueueGate gate;
  private final StatusBoard status;
  private final ProducerSession session;
  private final Announcer announcer;
  private final PublisherMetrics metrics;
  private final Ticker ticker;
  private final Encoding encoding;
  private final FailureLog encodingLog;
  private final SendWindow window = new SendWindow();
  private final Refusals refusals;
  private final Settlement settlement;
  private int firstLane;

  private volatile boolean closing;
  private volatile long closeAtNanos;
  private volatile boolean finished;

  Shipper(
      String gatewayId,
      long bootId,
      Lanes lanes,
      QueueGate gate,
      ProducerSession session,
      StatusBoard status,
      BatchJournal journal,
      PublisherMetrics metrics,
      Ticker ticker,
      Encoding encoding) {
    this.gatewayId = gatewayId;
    this.bootId = bootId;
    this.lanes = lanes;
    this.gate = gate;
    this.session = session;
    this.status = status;
    this.announcer = new Announcer(journal, new FailureLog(gatewayId));
    this.metrics = metrics;
    this.ticker = ticker;
    this.encoding = encoding;
    this.encodingLog = new FailureLog(gatewayId);
    this.refusals = new Refusals(lanes, window, gate.capacity(), new FailureLog(gatewayId));
    this.settlement =
        new Settlement(gate, session, refusals, announcer, metrics, new FailureLog(gatewayId));
  }

  /** Takes the batches of an earlier life; before the first turn. */
  void resume(List<SequencedBatch> batches) {
    for (SequencedBatch batch : batches) {
      Shipment shipment = lanes.of(batch.partition()).resume(batch);
      gate.enterResumed(shipment.accepted());
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
    boolean open = session.isOpen(nowNanos);
    if (open) {
      status.open(lanes.held());
    }
    long untilNext = open ? ship(nowNanos) : session.retryInNanos(nowNanos);
    return closing ? Math.min(untilNext, Math.max(0, closeAtNanos - nowNanos)) : untilNext;
  }

  /** Something unforeseen was thrown by a turn: everything goes again with a new sender. */
  void fail(Throwable cause) {
    session.fail(cause);
    recover(ticker.nanoTime());
  }

  /** Stops sending and says what is left. After the last turn. */
  PublisherState finish() {
    session.stop();
    settlement.settle(ticker.nanoTime());
    for (int lane = 0; lane < lanes.count(); lane++) {
      sequenceAll(lanes.of(lane), ticker.nanoTime());
    }
    finished = true;
    status.closed();
    lanes.abandonFlushes();
    List<SequencedBatch> left = new ArrayList<>();
    for (Shipment shipment : lanes.unacknowledged()) {
      left.add(shipment.batch());
    }
    return new PublisherState(gatewayId, bootId, lanes.lastSequences(), left);
  }

  private void settle(long nowNanos) {
    settlement.settle(nowNanos);
    refusals.holdSilent(nowNanos);
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

  private long ship(long nowNanos) {
    firstLane = (firstLane + 1) % lanes.count();
    for (int i = 0; i < lanes.count(); i++) {
      sequenceDue(lanes.of((firstLane + i) % lanes.count()), nowNanos);
    }
    if (!announcer.announce(nowNanos)) {
      return announcer.retryInNanos(nowNanos);
    }
    for (int i = 0; i < lanes.count(); i++) {
      if (!handOver(lanes.of((firstLane + i) % lanes.count()), nowNanos)) {
        return 0;
      }
    }
    long untilDue = window.wantsMore() ? lanes.dueInNanos(nowNanos) : Long.MAX_VALUE;
    return Math.min(untilDue, lanes.retryInNanos(nowNanos));
  }

  private void sequenceDue(PartitionLane lane, long nowNanos) {
    boolean more = true;
    while (more && window.wantsMoreOf(lane.bytesUnderWay()) && lane.hasRoom(nowNanos)) {
      more = sequenceNext(lane, nowNanos);
    }
  }

  private void sequenceAll(PartitionLane lane, long nowNanos) {
    boolean more = true;
    while (more) {
      more = sequenceNext(lane, nowNanos);
    }
  }

  /** Gives the next due batch its sequence; false where none is due or it cannot be encoded. */
  private boolean sequenceNext(PartitionLane lane, long nowNanos) {
    try {
      announcer.makeRoom();
      Shipment shipment = lane.sequenceDue(nowNanos, this::encode);
      if (shipment == null) {
        return false;
      }
      sequenced(shipment);
      encodingLog.succeeded();
      return true;
    } catch (RuntimeException | Error e) {
      lane.hold().pause(nowNanos);
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
    window.sequenced(shipment.bytes());
    announcer.add(shipment.batch());
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
