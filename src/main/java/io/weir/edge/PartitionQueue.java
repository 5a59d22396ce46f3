package io.weir.edge;

import io.weir.wire.BatchCompleteness;
import java.util.List;

/**
 * One partition's way to the topic: readings or events are accepted, their batch gets the next
 * sequence, waits to be handed to the producer, is in flight, and is gone when it is acknowledged.
 * All of it in order: nothing overtakes anything, and what failed goes back to the front.
 *
 * <p>{@link #attest}, {@link #flush} and {@link #close} may be called by any thread, all else by
 * the sender thread alone. The lock is held for a few stores, never while encoding or sending.
 */
class PartitionQueue {
  /** So few stay within the sequences that the topology remembers one by one. */
  private static final int MAX_BATCHES = 256;

  /** All 64 together fit the producer's memory, whatever becomes of the shared send window. */
  private static final long MAX_BYTES = 256 * 1024;

  private final int partition;
  private final long bootId;
  private final PartitionMute mute = new PartitionMute();
  private final Backoff encoding = Backoff.local();

  // Guarded by this.
  private final BatchAccumulator<?> accumulator;
  private final UnacknowledgedBatches unacknowledged = new UnacknowledgedBatches();
  private final PendingFlushes flushes = new PendingFlushes();
  private final Withholding withholding = new Withholding();
  private final boolean ordered;
  private long earlierBatches;
  private long attested;

  // The sender thread's.
  private long lastSequence;

  PartitionQueue(int partition, QueueSettings settings, BatchAccumulator<?> accumulator) {
    this.partition = partition;
    this.bootId = settings.bootId();
    this.ordered = settings.ordered();
    this.accumulator = accumulator;
    this.lastSequence = settings.lastSequence(partition);
  }

  int partition() {
    return partition;
  }

  PartitionMute mute() {
    return mute;
  }

  /** When to encode again what could not be encoded. */
  Backoff encoding() {
    return encoding;
  }

  /**
   * Takes an attestation, which comes after every reading that was accepted before.
   *
   * @param takes what it takes of the queue; not where this answers MERGED
   */
  synchronized BatchAccumulator.Appended attest(
      String sensorId, int idBytes, long throughMs, long takes) {
    if (accumulator.isClosed()) {
      return BatchAccumulator.Appended.CLOSED;
    }
    attested++;
    if (withholding.mayAttest()) {
      return accumulator.attest(sensorId, idBytes, throughMs, takes);
    }
    withholding.hold(sensorId, throughMs);
    return BatchAccumulator.Appended.MERGED;
  }

  /** Makes the flush wait for everything accepted so far, and that go at once. */
  synchronized void flush(FlushTicket ticket) {
    flushes.add(ticket, earlierBatches + accumulator.started());
    accumulator.flush();
  }

  synchronized void close() {
    accumulator.close();
  }

  /** Readings ever accepted here. */
  synchronized long accepted() {
    return accumulator.accepted();
  }

  /** Attestations ever accepted here. */
  synchronized long attested() {
    return attested;
  }

  /** Attestations that were accepted and are never sent. */
  synchronized long withheld() {
    return withholding.withheld();
  }

  /** Readings accepted that were older than one of their sensor before; 0 if not ordered. */
  synchronized long outOfOrder() {
    return accumulator.outOfOrder();
  }

  /** Nanoseconds until a batch is due that has no sequence yet; {@link Long#MAX_VALUE} for none. */
  synchronized long dueInNanos(long nowNanos) {
    return accumulator.dueInNanos(nowNanos);
  }

  /** Whether its open batch has waited for its time. */
  synchronized boolean isTickDue(long nowNanos) {
    return accumulator.isTickDue(nowNanos);
  }

  /** Takes no reading more while so many of the partition are not acknowledged. */
  synchronized void limitUnacknowledged(long readings) {
    accumulator.limitUnacknowledged(readings);
  }

  synchronized boolean isOverShare() {
    return accumulator.isOverShare();
  }

  /** Readings do not count for the partition's share of the queue any more. */
  synchronized void releaseReadings(int readings) {
    accumulator.releaseReadings(readings);
  }

  /**
   * The next batch that is due, which stays; null where none is. It goes on by {@link #sequence}.
   */
  synchronized PendingBatch nextDue(long nowNanos) {
    return accumulator.sealDue(nowNanos);
  }

  /** What {@link #sequence} will give next. */
  long nextSequence() {
    return lastSequence + 1;
  }

  /** What the batch of {@link #nextDue} may say about completeness, now. */
  synchronized BatchCompleteness completeness(PendingBatch pending) {
    return withholding.mayAttest() ? pending.completeness(ordered) : BatchCompleteness.NONE;
  }

  /**
   * Gives the batch of {@link #nextDue} its sequence. It goes on by {@link #enqueue}. Where this
   * throws, for want of memory, the batch and its sequence are as they were.
   *
   * @param value its bytes, with {@link #nextSequence} in them
   */
  UnacknowledgedBatch sequence(PendingBatch pending, byte[] value) {
    UnacknowledgedBatch batch = new UnacknowledgedBatch(sequenced(pending, value), pending);
    take(pending);
    unacknowledged.count(batch);
    return batch;
  }

  /** Takes a batch of an earlier start, to go before everything else by {@link #enqueue}. */
  UnacknowledgedBatch resume(SequencedBatch batch, long nowNanos) {
    resumed(1, batch.bootId() == bootId ? 0 : 1);
    resumeReadings(batch.readings());
    UnacknowledgedBatch resumed = UnacknowledgedBatch.resumed(batch, nowNanos);
    unacknowledged.count(resumed);
    return resumed;
  }

  private synchronized void resumeReadings(int readings) {
    accumulator.resumeReadings(readings);
  }

  /** So many batches come before everything else, of which some are of earlier starts. */
  synchronized void resumed(long batches, long ofEarlierStarts) {
    earlierBatches += batches;
    withholding.earlier(ofEarlierStarts);
  }

  /** A batch that was on disk alone, to go on by {@link #enqueue}. */
  UnacknowledgedBatch reload(SequencedBatch batch, long nowNanos) {
    UnacknowledgedBatch reloaded = UnacknowledgedBatch.ofDisk(batch, nowNanos);
    unacknowledged.count(reloaded);
    return reloaded;
  }

  /** The batch may be sent, after all that were enqueued before it. */
  synchronized void enqueue(UnacknowledgedBatch batch) {
    unacknowledged.enqueue(batch);
  }

  /** The batch, not enqueued, is kept on disk alone. */
  void forget(UnacknowledgedBatch batch) {
    unacknowledged.uncount(batch);
  }

  /** Whether another batch may get its sequence: few enough have one, and none is muted. */
  boolean hasRoom() {
    return !mute.isMuted()
        && unacknowledged.count() < MAX_BATCHES
        && unacknowledged.bytes() < MAX_BYTES;
  }

  /**
   * The next batch for the producer, now in flight; null where none waits, or enough are in flight,
   * or it may not go yet.
   *
   * @param aloneFromBytes a batch of so many bytes goes only where none is in flight, and none goes
   *     beside it; so does one of a muted partition
   */
  synchronized UnacknowledgedBatch handOver(long nowNanos, int aloneFromBytes) {
    UnacknowledgedBatch next = unacknowledged.firstWaiting();
    if (next == null || mute.isPausing(nowNanos)) {
      return null;
    }
    boolean alone = mute.isMuted() || next.bytes() >= aloneFromBytes;
    if (!unacknowledged.mayGo(alone, MAX_BATCHES)) {
      return null;
    }
    next.goesAlone(alone);
    next.handedOverAt(nowNanos);
    return unacknowledged.handOver();
  }

  /** For how long the oldest batch in flight has had no answer; 0 where none is in flight. */
  synchronized long unansweredNanos(long nowNanos) {
    UnacknowledgedBatch oldest = unacknowledged.firstInFlight();
    return oldest == null ? 0 : nowNanos - oldest.handedOverNanos();
  }

  /** Takes the batch out, if it is the first in flight: acknowledgements come in order. */
  synchronized boolean acknowledge(UnacknowledgedBatch batch) {
    if (unacknowledged.firstInFlight() != batch) {
      return false;
    }
    unacknowledged.acknowledgeFirst();
    return true;
  }

  /** Everything in flight waits again, in its order and before all else. */
  synchronized void rewind() {
    unacknowledged.rewind();
  }

  /** The age of the oldest reading that {@link #dropOldest} would drop; -1 where none is. */
  synchronized long droppableNanos(long nowNanos) {
    UnacknowledgedBatch oldest = unacknowledged.firstWaiting();
    return oldest == null ? accumulator.ageNanos(nowNanos) : nowNanos - oldest.firstAcceptedNanos();
  }

  /**
   * Gives up the oldest batch that is not in flight; null where all are. One that has no sequence
   * takes one, so that the application sees the gap.
   */
  synchronized UnacknowledgedBatch dropOldest() {
    UnacknowledgedBatch oldest = unacknowledged.firstWaiting();
    if (oldest != null) {
      withholding.lost();
      unacknowledged.removeFirstWaiting();
      return oldest;
    }
    PendingBatch pending = accumulator.sealOldest();
    if (pending == null) {
      return null;
    }
    withholding.lost();
    UnacknowledgedBatch dropped = new UnacknowledgedBatch(sequenced(pending, new byte[0]), pending);
    take(pending);
    return dropped;
  }

  /**
   * Readings of the partition are given up, by another than {@link #dropOldest}, or were found
   * missing: in this start its batches attest nothing more.
   */
  synchronized void readingsLost() {
    withholding.lost();
  }

  /** A batch is acknowledged, or given up; completes the flushes that waited for it. */
  void settled(SequencedBatch batch) {
    synchronized (this) {
      flushes.settle(1);
      if (batch.bootId() != bootId) {
        withholding.earlierSettled(this::release);
      }
    }
    for (FlushTicket.Part part = takeReached(); part != null; part = takeReached()) {
      part.ticket().partDone();
    }
  }

  /** Flushes that wait for what is still here end without it. */
  void abandonFlushes() {
    List<FlushTicket.Part> abandoned;
    synchronized (this) {
      abandoned = flushes.takeAll();
    }
    abandoned.forEach(part -> part.ticket().abandon());
  }

  /** Nothing accepted is left. */
  synchronized boolean isDone() {
    return flushes.areSettled(earlierBatches + accumulator.started());
  }

  long lastSequence() {
    return lastSequence;
  }

  /** What is sequenced, in memory and not acknowledged. */
  UnacknowledgedBatches unacknowledged() {
    return unacknowledged;
  }

  private SequencedBatch sequenced(PendingBatch pending, byte[] value) {
    return new SequencedBatch(bootId, partition, nextSequence(), pending.accepted(), value);
  }

  /** The batch has its sequence and leaves the accumulator. */
  private synchronized void take(PendingBatch pending) {
    lastSequence++;
    if (!withholding.mayAttest()) {
      withholding.withheld(pending.attested());
    }
    accumulator.removeDue();
  }

  private void release(String sensorId, long throughMs) {
    accumulator.attest(sensorId, IdDigest.bytes(IdDigest.of(sensorId)), throughMs, 0);
  }

  private synchronized FlushTicket.Part takeReached() {
    return flushes.takeReached();
  }
}
