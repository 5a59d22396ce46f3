package io.weir.edge;

import java.util.List;

/**
 * A batch with its sequence, from the moment that it has one until it is acknowledged. For the
 * sender thread.
 */
final class UnacknowledgedBatch {
  private final int accepted;
  private final long cost;
  private final long firstAcceptedNanos;
  private List<Acknowledgement> acknowledgements;
  private final SequencedBatch batch;
  private long handedOverNanos;
  private int timesSent;
  private boolean alone;
  private boolean takesRoom;

  /** A batch that was just given its sequence. */
  UnacknowledgedBatch(SequencedBatch batch, PendingBatch pending) {
    this.batch = batch;
    this.accepted = pending.accepted();
    this.cost = pending.cost();
    this.firstAcceptedNanos = pending.firstAcceptedNanos();
    this.acknowledgements = pending.acknowledgements();
    this.takesRoom = true;
  }

  private UnacknowledgedBatch(SequencedBatch batch, long nowNanos, boolean takesRoom) {
    this.batch = batch;
    this.accepted = batch.readings();
    this.cost = QueueLimit.cost(batch.readings(), batch.value().length);
    this.firstAcceptedNanos = nowNanos;
    this.acknowledgements = List.of();
    this.takesRoom = takesRoom;
  }

  /** A batch of an earlier start, which takes room in the queue. */
  static UnacknowledgedBatch resumed(SequencedBatch batch, long nowNanos) {
    return new UnacknowledgedBatch(batch, nowNanos, true);
  }

  /** A batch that was read from disk, where it takes its room. */
  static UnacknowledgedBatch ofDisk(SequencedBatch batch, long nowNanos) {
    return new UnacknowledgedBatch(batch, nowNanos, false);
  }

  int partition() {
    return batch.partition();
  }

  SequencedBatch sequenced() {
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
  long cost() {
    return cost;
  }

  long firstAcceptedNanos() {
    return firstAcceptedNanos;
  }

  /** Returns the callback and removes it: it runs once. */
  List<Acknowledgement> takeAcknowledgements() {
    List<Acknowledgement> taken = acknowledgements;
    acknowledgements = List.of();
    return taken;
  }

  /** It takes no room of the queue any more; whether it took some until now. */
  boolean leaveQueue() {
    boolean tookRoom = takesRoom;
    takesRoom = false;
    return tookRoom;
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
