package io.weir.edge;

import io.weir.reading.Reading;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One partition's way to the topic: readings are taken in, their batch gets the next sequence,
 * waits to be handed to the producer, is in flight, and is gone when it is acknowledged. All of it
 * in order: nothing overtakes anything, and what failed goes back to the front.
 *
 * <p>{@link #append}, {@link #flush} and {@link #close} may be called by any thread, all else by
 * the sender thread alone. The lock is held for a few stores, never while encoding or sending.
 */
final class PartitionLane {
  /** So few stay within the sequences that the topology remembers one by one. */
  private static final int MAX_BATCHES_UNDER_WAY = 256;

  /** All 64 together fit the producer's memory, whatever becomes of the shared send window. */
  private static final long MAX_BYTES_UNDER_WAY = 256 * 1024;

  private final int partition;
  private final long bootId;
  private final Ticker ticker;
  private final LaneHold hold = new LaneHold();
  private final Backoff encoding = new Backoff();

  // Guarded by this.
  private final Intake intake;
  private final Deque<Shipment> waiting = new ArrayDeque<>();
  private final Deque<Shipment> inFlight = new ArrayDeque<>();
  private final Deque<FlushTicket.Part> flushes = new ArrayDeque<>();
  private long earlierReadings;
  private long settledReadings;

  // The sender thread's.
  private long lastSequence;
  private long bytesUnderWay;
  private long bytesInFlight;
  private int batchesUnderWay;

  PartitionLane(int partition, LaneSettings settings, Ticker ticker) {
    this.partition = partition;
    this.bootId = settings.bootId();
    this.ticker = ticker;
    this.intake = new Intake(settings, ticker);
    this.lastSequence = settings.lastSequence(partition);
  }

  int partition() {
    return partition;
  }

  LaneHold hold() {
    return hold;
  }

  /** When to encode again what could not be encoded. */
  Backoff encoding() {
    return encoding;
  }

  synchronized Intake.Appended append(
      Reading reading, long digest, Acknowledgement acknowledgement) {
    return intake.append(reading, digest, acknowledgement);
  }

  /** Makes the flush wait for everything accepted so far, and that go at once. */
  synchronized void flush(FlushTicket ticket) {
    long accepted = earlierReadings + intake.accepted();
    if (accepted > settledReadings) {
      ticket.addPart();
      flushes.addLast(new FlushTicket.Part(accepted, ticket));
    }
    intake.flush();
  }

  synchronized void close() {
    intake.close();
  }

  /** Readings ever accepted here. */
  synchronized long accepted() {
    return intake.accepted();
  }

  /** Nanoseconds until a batch is due that has no sequence yet; {@link Long#MAX_VALUE} for none. */
  synchronized long dueInNanos(long nowNanos) {
    return intake.dueInNanos(nowNanos);
  }

  /** Takes no reading more while so many of the partition are not acknowledged. */
  synchronized void takeAtMost(long readings) {
    intake.takeAtMost(readings);
  }

  synchronized boolean isOverShare() {
    return intake.isOverShare();
  }

  /** The age of the oldest reading that {@link #dropOldest} would drop; -1 where none is. */
  synchronized long droppableNanos(long nowNanos) {
    return waiting.isEmpty()
        ? intake.ageNanos(nowNanos)
        : nowNanos - waiting.getFirst().firstAcceptedNanos();
  }

  /**
   * Gives up the oldest batch that is not in flight; null where all are. One that has no sequence
   * takes one, so that the application sees the gap.
   */
  Shipment dropOldest() {
    synchronized (this) {
      Shipment oldest = waiting.pollFirst();
      if (oldest != null) {
        bytesUnderWay -= oldest.bytes();
        batchesUnderWay--;
        return oldest;
      }
      PendingBatch pending = intake.sealOldest();
      if (pending == null) {
        return null;
      }
      SequencedBatch none =
          new SequencedBatch(bootId, partition, ++lastSequence, pending.accepted(), new byte[0]);
      Shipment dropped = new Shipment(this, none, pending);
      intake.removeDue();
      pending.clear();
      intake.recycle(pending);
      return dropped;
    }
  }

  /** Whether another batch may get its sequence: few enough are under way, and none is held. */
  boolean hasRoom() {
    return !hold.isHeld()
        && batchesUnderWay < MAX_BATCHES_UNDER_WAY
        && bytesUnderWay < MAX_BYTES_UNDER_WAY;
  }

  /** Whether its open batch has waited for its time. */
  synchronized boolean isTickDue(long nowNanos) {
    return intake.isTickDue(nowNanos);
  }

  /**
   * The next due batch with its sequence, encoded; null where none is due. It goes on with {@link
   * #enqueue}. Where this throws, for want of memory, the batch and its sequence are as they were.
   */
  Shipment sequenceDue(long nowNanos, ShipmentEncoder encoder) {
    PendingBatch pending;
    synchronized (this) {
      pending = intake.sealDue(nowNanos);
    }
    if (pending == null) {
      return null;
    }
    byte[] value = encoder.encode(lastSequence + 1, pending);
    SequencedBatch batch =
        new SequencedBatch(bootId, partition, lastSequence + 1, pending.accepted(), value);
    Shipment shipment = new Shipment(this, batch, pending);
    synchronized (this) {
      intake.removeDue();
      pending.clear();
      intake.recycle(pending);
    }
    lastSequence++;
    underWay(shipment);
    return shipment;
  }

  /** Takes a batch of an earlier start, to go before everything else by {@link #enqueue}. */
  Shipment resume(SequencedBatch batch) {
    earlier(batch.readings());
    synchronized (this) {
      intake.left(-batch.readings());
    }
    return loaded(batch);
  }

  /** Readings of earlier starts count as accepted here. */
  synchronized void earlier(long readings) {
    earlierReadings += readings;
  }

  /** A batch that was on disk alone, to go on by {@link #enqueue}. */
  Shipment loaded(SequencedBatch batch) {
    Shipment shipment = new Shipment(this, batch, ticker.nanoTime());
    underWay(shipment);
    return shipment;
  }

  /** The batch may be sent, after all that were enqueued before it. */
  synchronized void enqueue(Shipment shipment) {
    waiting.addLast(shipment);
  }

  /** The batch, not enqueued, is kept elsewhere. */
  void forget(Shipment shipment) {
    bytesUnderWay -= shipment.bytes();
    batchesUnderWay--;
  }

  /** Readings do not count for the partition's share of the queue any more. */
  synchronized void left(int readings) {
    intake.left(readings);
  }

  /**
   * The next batch for the producer, now in flight; null where none waits, or enough are in flight,
   * or it may not go yet.
   *
   * @param aloneFromBytes a batch of so many bytes goes only where none is in flight, and none goes
   *     beside it; so does one that is held
   */
  synchronized Shipment handOver(long nowNanos, int aloneFromBytes) {
    if (waiting.isEmpty() || inFlight.size() >= MAX_BATCHES_UNDER_WAY || hold.isPausing(nowNanos)) {
      return null;
    }
    Shipment next = waiting.getFirst();
    boolean alone = hold.isHeld() || next.bytes() >= aloneFromBytes;
    if (!inFlight.isEmpty() && (alone || inFlight.getLast().isAlone())) {
      return null;
    }
    next.goesAlone(alone);
    next.handedOverAt(nowNanos);
    bytesInFlight += next.bytes();
    inFlight.addLast(waiting.removeFirst());
    return next;
  }

  /** Batches that are sequenced, in memory and not acknowledged. */
  int batchesUnderWay() {
    return batchesUnderWay;
  }

  /** Bytes of batches that are sequenced, in memory and not acknowledged. */
  long bytesUnderWay() {
    return bytesUnderWay;
  }

  /** Bytes of batches that are handed over and not acknowledged. */
  long bytesInFlight() {
    return bytesInFlight;
  }

  /** For how long the oldest batch in flight has had no answer; 0 where none is in flight. */
  synchronized long unansweredNanos(long nowNanos) {
    Shipment oldest = inFlight.peekFirst();
    return oldest == null ? 0 : nowNanos - oldest.handedOverNanos();
  }

  /** Takes the batch out, if it is the first in flight: acknowledgements come in order. */
  boolean acknowledge(Shipment shipment) {
    synchronized (this) {
      if (inFlight.peekFirst() != shipment) {
        return false;
      }
      inFlight.removeFirst();
    }
    bytesInFlight -= shipment.bytes();
    bytesUnderWay -= shipment.bytes();
    batchesUnderWay--;
    return true;
  }

  /** Everything in flight waits again, in its order and before all else. */
  synchronized void rewind() {
    bytesInFlight = 0;
    while (!inFlight.isEmpty()) {
      waiting.addFirst(inFlight.removeLast());
    }
  }

  /**
   * So many readings more are acknowledged, or given up; completes the flushes that wait for it.
   */
  void settled(long readings) {
    FlushTicket.Part part = settleAndTake(readings);
    while (part != null) {
      part.ticket().partDone();
      part = settleAndTake(0);
    }
  }

  /** Nothing accepted is left. */
  synchronized boolean isDone() {
    return settledReadings == earlierReadings + intake.accepted();
  }

  long lastSequence() {
    return lastSequence;
  }

  /** Sequenced and not acknowledged, in the order in which they go out. */
  synchronized List<Shipment> unacknowledged() {
    List<Shipment> shipments = new ArrayList<>(inFlight);
    shipments.addAll(waiting);
    return shipments;
  }

  /** Flushes that wait for what is still here end without it. */
  void abandonFlushes() {
    List<FlushTicket.Part> abandoned;
    synchronized (this) {
      abandoned = List.copyOf(flushes);
      flushes.clear();
    }
    abandoned.forEach(part -> part.ticket().abandon());
  }

  private synchronized FlushTicket.Part settleAndTake(long readings) {
    settledReadings += readings;
    boolean reached = !flushes.isEmpty() && flushes.getFirst().settledReadings() <= settledReadings;
    return reached ? flushes.removeFirst() : null;
  }

  private void underWay(Shipment shipment) {
    bytesUnderWay += shipment.bytes();
    batchesUnderWay++;
  }
}
