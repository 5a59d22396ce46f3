package io.weir.edge;

import java.util.List;

/**
 * A batch with its sequence, from the moment that it has one until it is acknowledged. For the
 * sender thread.
 */
final class Shipment {
  private final PartitionLane lane;
  private final int accepted;
  private final long places;
  private final long firstAcceptedNanos;
  private List<Acknowledgement> acknowledgements;
  private final SequencedBatch batch;
  private long handedOverNanos;
  private int timesSent;
  private boolean alone;

  /** A batch that was just given its sequence. */
  Shipment(PartitionLane lane, SequencedBatch batch, PendingBatch pending) {
    this.lane = lane;
    this.batch = batch;
    this.accepted = pending.accepted();
    this.places = pending.places();
    this.firstAcceptedNanos = pending.firstAcceptedNanos();
    this.acknowledgements = pending.acknowledgements();
  }

  /** A batch of an earlier life. */
  Shipment(PartitionLane lane, SequencedBatch batch, long nowNanos) {
    this.lane = lane;
    this.batch = batch;
    this.accepted = batch.readings();
    this.places = QueueGate.places(batch.readings(), batch.value().length);
    this.firstAcceptedNanos = nowNanos;
    this.acknowledgements = List.of();
  }

  PartitionLane lane() {
    return lane;
  }

  SequencedBatch batch() {
    return batch;
  }

  int bytes() {
    return batch.value().length;
  }

  /** Readings accepted, folded ones counted one by one. */
  int accepted() {
    return accepted;
  }

  /** What it takes of the queue. */
  long places() {
    return places;
  }

  long firstAcceptedNanos() {
    return firstAcceptedNanos;
  }

  /** Who is to be told; nobody the next time. */
  List<Acknowledgement> takeAcknowledgements() {
    List<Acknowledgement> taken = acknowledgements;
    acknowledgements = List.of();
    return taken;
  }

  void handedOverAt(long nowNanos) {
    handedOverNanos = nowNanos;
  }

  /** When it was last handed to the producer. */
  long handedOverNanos() {
    return handedOverNanos;
  }

  void goesAlone(boolean goesAlone) {
    alone = goesAlone;
  }

  /** Whether it was last handed over with nothing of its partition beside it. */
  boolean isAlone() {
    return alone;
  }

  /** Counts a sending; true where it was not the first. */
  boolean sentAgain() {
    return timesSent++ > 0;
  }
}
