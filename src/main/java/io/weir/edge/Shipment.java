package io.weir.edge;

import java.util.ArrayList;
import java.util.List;

/**
 * A batch with its sequence, from the moment that it has one until it is acknowledged. The sender
 * thread's, but for the flushes, which its lane guards.
 */
final class Shipment {
  private final PartitionLane lane;
  private final long bootId;
  private final long sequence;
  private final int accepted;
  private final long firstAcceptedNanos;
  private final List<Acknowledgement> acknowledgements;
  private final List<FlushTicket> flushes;
  private SequencedBatch batch;
  private int timesSent;
  private boolean alone;

  /** A batch that was just given its sequence, and is still to be encoded. */
  Shipment(PartitionLane lane, long bootId, long sequence, PendingBatch pending) {
    this.lane = lane;
    this.bootId = bootId;
    this.sequence = sequence;
    this.accepted = pending.accepted();
    this.firstAcceptedNanos = pending.firstAcceptedNanos();
    this.acknowledgements = pending.acknowledgements();
    this.flushes = pending.flushes();
  }

  /** A batch of an earlier life. */
  Shipment(PartitionLane lane, SequencedBatch batch, long nowNanos) {
    this.lane = lane;
    this.bootId = batch.bootId();
    this.sequence = batch.sequence();
    this.accepted = batch.readings();
    this.firstAcceptedNanos = nowNanos;
    this.acknowledgements = List.of();
    this.flushes = new ArrayList<>(0);
    this.batch = batch;
  }

  void encoded(byte[] value) {
    batch = new SequencedBatch(bootId, lane.partition(), sequence, accepted, value);
  }

  PartitionLane lane() {
    return lane;
  }

  SequencedBatch batch() {
    return batch;
  }

  long bootId() {
    return bootId;
  }

  long sequence() {
    return sequence;
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
    return flushes;
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
