package io.weir.edge;

import java.util.ArrayList;
import java.util.List;

/**
 * A batch with its sequence, from the moment that it has one until it is acknowledged. The sender
 * thread's, but for the flushes, which its lane guards.
 */
final class Shipment {
  private final PartitionLane lane;
  private final int accepted;
  private final long firstAcceptedNanos;
  private final List<Acknowledgement> acknowledgements;
  private List<FlushTicket> flushes;
  private final SequencedBatch batch;
  private long handedOverNanos;
  private int timesSent;
  private boolean alone;

  /** A batch that was just given its sequence. */
  Shipment(PartitionLane lane, SequencedBatch batch, PendingBatch pending) {
    this.lane = lane;
    this.batch = batch;
    this.accepted = pending.accepted();
    this.firstAcceptedNanos = pending.firstAcceptedNanos();
    this.acknowledgements = pending.acknowledgements();
    this.flushes = pending.flushesOrNull();
  }

  /** A batch of an earlier life. */
  Shipment(PartitionLane lane, SequencedBatch batch, long nowNanos) {
    this.lane = lane;
    this.batch = batch;
    this.accepted = batch.readings();
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

  long firstAcceptedNanos() {
    return firstAcceptedNanos;
  }

  List<Acknowledgement> acknowledgements() {
    return acknowledgements;
  }

  List<FlushTicket> flushes() {
    if (flushes == null) {
      flushes = new ArrayList<>(1);
    }
    return flushes;
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
