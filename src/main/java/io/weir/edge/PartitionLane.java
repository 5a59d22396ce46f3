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

  private static final long MAX_BYTES_UNDER_WAY = 512 * 1024;

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

  /** Whether another batch may get its sequence: few enough are under way, and none is held. */
  boolean hasRoom() {
    return !hold.isHeld()
        && batchesUnderWay < MAX_BATCHES_UNDER_WAY
        && bytesUnderWay < MAX_BYTES_UNDER_WAY;
  }

  /** The next due batch with its sequence, encoded; null where none is due. */
  Shipment sequenceDue(long nowNanos, ShipmentEncoder encoder) {
    PendingBatch pending;
    Shipment shipment;
    synchronized (this) {
      pending = intake.takeDue(nowNanos);
      if (pending == null) {
        return null;
      }
      shipment = new Shipment(this, bootId, ++lastSequence, pending);
      // Before the lock is let go, or a flush would not find it.
      waiting.addLast(shipment);
    }
    shipment.encoded(encoder.encode(shipment, pending));
    pending.clear();
    recycle(pending);
    underWay(shipment);
    return shipment;
  }

  /** Takes a batch of an earlier life, to go before everything else. */
  Shipment resume(SequencedBatch batch) {
    Shipment shipment = new Shipment(this, batch, ticker.nanoTime());
    synchronized (this) {
      waiting.addLast(shipment);
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
    inFlight.addLast(waiting.removeFirst());
    return next;
  }

  /** Bytes of batches that are sequenced and not acknowledged. */
  long bytesUnderWay() {
    return bytesUnderWay;
  }

  /** Takes the batch out, if it is the first in flight: acknowledgements come in order. */
  boolean acknowledge(Shipment shipment) {
    synchronized (this) {
      if (inFlight.peekFirst() != shipment) {
        return false;
      }
      inFlight.removeFirst();
    }
    bytesUnderWay -= shipment.bytes();
    batchesUnderWay--;
    return true;
  }

  /** Everything in flight waits again, in its order and before all else. */
  synchronized void rewind() {
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

  private synchronized void recycle(PendingBatch emptied) {
    intake.recycle(emptied);
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
