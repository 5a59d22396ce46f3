package io.weir.edge;

import java.util.List;

/** A sequenced batch until its acknowledgement. Sender thread only. */
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

  /** A batch that was just sequenced. */
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

  /** A batch of an earlier start, which uses queue capacity. */
  static UnacknowledgedBatch resumed(SequencedBatch batch, long nowNanos) {
    return new UnacknowledgedBatch(batch, nowNanos, true);
  }

  /** A batch that was read from disk, which uses no queue capacity. */
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

  /** Number of accepted readings, counting folded ones individually. */
  int accepted() {
    return accepted;
  }

  /** Its cost in queue capacity. */
  long cost() {
    return cost;
  }

  long firstAcceptedNanos() {
    return firstAcceptedNanos;
  }

  /** Returns and removes the callbacks: they run once. */
  List<Acknowledgement> takeAcknowledgements() {
    List<Acknowledgement> taken = acknowledgements;
    acknowledgements = List.of();
    return taken;
  }

  /** Releases its queue capacity; returns false if that was done before. */
  boolean leaveQueue() {
    boolean tookRoom = takesRoom;
    takesRoom = false;
    return tookRoom;
  }

  void handedOverAt(long nowNanos) {
    handedOverNanos = nowNanos;
  }

  /** When it was last passed to the producer. */
  long handedOverNanos() {
    return handedOverNanos;
  }

  void goesAlone(boolean goesAlone) {
    alone = goesAlone;
  }

  /** Whether it was last sent alone within its partition. */
  boolean isAlone() {
    return alone;
  }

  /** Counts a send; true if it was a retry. */
  boolean sentAgain() {
    return timesSent++ > 0;
  }
}
