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

  // Guarded by this.
  private final Intake intake;
  private final Deque<Shipment> waiting = new ArrayDeque<>();
  private final Deque<Shipment> inFlight = new ArrayDeque<>();

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

  synchronized Intake.Appended append(
      Reading reading, long digest, Acknowledgement acknowledgement) {
    return intake.append(reading, digest, acknowledgement);
  }

  /** Makes the flush wait for everything accepted so far, and that go at once. */
  synchronized void flush(FlushTicket ticket) {
    List<FlushTicket> last = flushesOfLast();
    if (last != null) {
      ticket.addPart();
      last.add(ticket);
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

  /** Whether another batch may get its sequence: few enough are under way, and none is held. */
  boolean hasRoom(long nowNanos) {
    return !hold.isHeld()
        && !hold.isPausing(nowNanos)
        && batchesUnderWay < MAX_BATCHES_UNDER_WAY
        && bytesUnderWay < MAX_BYTES_UNDER_WAY;
  }

  /**
   * The next due batch with its sequence, encoded; null where none is due. Where this throws, for
   * want of memory, the batch and its sequence are as they were.
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
    Shipment shipment;
    synchronized (this) {
      shipment = new Shipment(this, batch, pending);
      waiting.addLast(shipment);
      intake.removeDue();
      lastSequence++;
      underWay(shipment);
      pending.clear();
      intake.recycle(pending);
    }
    return shipment;
  }

  /** Takes a batch of an earlier life, to go before everything else. */
  Shipment resume(SequencedBatch batch) {
    Shipment shipment = new Shipment(this, batch, ticker.nanoTime());
    synchronized (this) {
      waiting.addLast(shipment);
      intake.left(-shipment.accepted());
    }
    underWay(shipment);
    return shipment;
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

  /** Bytes of batches that are sequenced and not acknowledged. */
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
      intake.left(shipment.accepted());
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

  /** Nothing accepted is left. */
  synchronized boolean isDone() {
    return intake.isEmpty() && waiting.isEmpty() && inFlight.isEmpty();
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
  synchronized void abandonFlushes() {
    for (Shipment shipment : unacknowledged()) {
      shipment.flushes().forEach(FlushTicket::abandon);
    }
  }

  private void underWay(Shipment shipment) {
    bytesUnderWay += shipment.bytes();
    batchesUnderWay++;
  }

  /** Where a flush waits: the list of the newest batch, or null where all is acknowledged. */
  private List<FlushTicket> flushesOfLast() {
    if (!intake.isEmpty()) {
      return intake.flushesOfLast();
    }
    Shipment last = waiting.isEmpty() ? inFlight.peekLast() : waiting.getLast();
    return last == null ? null : last.flushes();
  }
}
