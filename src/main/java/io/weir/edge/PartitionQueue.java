package io.weir.edge;

import io.weir.internal.wire.BatchCompleteness;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * The queue of one partition. Accepted readings or events form a batch, which gets the next
 * sequence, waits for the producer, is in flight, and is removed when it is acknowledged. The order
 * is strict: failed batches return to the front.
 *
 * <p>{@link #attest}, {@link #flush} and {@link #close} are thread-safe; all other methods are for
 * the sender thread only. The lock is held briefly, never while encoding or sending.
 */
class PartitionQueue {
  /** Stays below the number of sequences that the topology tracks individually. */
  private static final int MAX_BATCHES = 256;

  /** All 64 partitions together fit the producer's memory, regardless of the shared send window. */
  private static final long MAX_BYTES = 256 * 1024;

  private final int partition;
  private final long bootId;
  private final PartitionMute mute = new PartitionMute();
  private final Backoff encoding = Backoff.local();

  // Guarded by this.
  private final BatchAccumulator<?> accumulator;
  private final UnacknowledgedBatches unacknowledged = new UnacknowledgedBatches();
  private final PendingFlushes flushes = new PendingFlushes();
  private final AttestationHold withholding = new AttestationHold();
  private final boolean ordered;
  private long earlierBatches;
  private long attested;

  // Sender thread only.
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

  /** Backoff after a failed encoding. */
  Backoff encoding() {
    return encoding;
  }

  /**
   * Adds an attestation behind all readings accepted so far.
   *
   * @param takes its cost in queue capacity; 0 if this returns MERGED
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

  /** Makes everything accepted so far due, and the flush wait for it. */
  synchronized void flush(FlushTicket ticket) {
    flushes.add(ticket, earlierBatches + accumulator.started());
    accumulator.flush();
  }

  synchronized void close() {
    accumulator.close();
  }

  /** Number of readings accepted so far. */
  synchronized long accepted() {
    return accumulator.accepted();
  }

  /** Number of attestations accepted so far. */
  synchronized long attested() {
    return attested;
  }

  /** Number of accepted attestations that are never sent. */
  synchronized long withheld() {
    return withholding.withheld();
  }

  /**
   * Accepted readings that were older than an earlier reading of their sensor; 0 if not ordered.
   */
  synchronized long outOfOrder() {
    return accumulator.outOfOrder();
  }

  /** Nanoseconds until a batch without a sequence is due; {@link Long#MAX_VALUE} for none. */
  synchronized long dueInNanos(long nowNanos) {
    return accumulator.dueInNanos(nowNanos);
  }

  /** Whether the flush interval of its open batch has ended. */
  synchronized boolean isTickDue(long nowNanos) {
    return accumulator.isTickDue(nowNanos);
  }

  /** Rejects readings while this number of the partition's readings is unacknowledged. */
  synchronized void limitUnacknowledged(long readings) {
    accumulator.limitUnacknowledged(readings);
  }

  synchronized boolean isOverShare() {
    return accumulator.isOverShare();
  }

  /** Removes readings from the partition's share of the queue. */
  synchronized void releaseReadings(int readings) {
    accumulator.releaseReadings(readings);
  }

  /** Returns the next due batch without removing it, or null; {@link #sequence} removes it. */
  synchronized PendingBatch nextDue(long nowNanos) {
    return accumulator.sealDue(nowNanos);
  }

  /** The sequence that {@link #sequence} will assign next. */
  long nextSequence() {
    return lastSequence + 1;
  }

  /** The completeness that the batch of {@link #nextDue} may attest now. */
  synchronized BatchCompleteness completeness(PendingBatch pending) {
    return withholding.mayAttest() ? pending.completeness(ordered) : BatchCompleteness.NONE;
  }

  /**
   * Assigns the next sequence to the batch of {@link #nextDue}; {@link #enqueue} comes next. If it
   * throws an OutOfMemoryError, batch and sequence are unchanged.
   *
   * @param value its bytes, with {@link #nextSequence} in them
   */
  UnacknowledgedBatch sequence(PendingBatch pending, byte[] value) {
    UnacknowledgedBatch batch = new UnacknowledgedBatch(sequenced(pending, value), pending);
    removeSequenced(pending);
    unacknowledged.count(batch);
    return batch;
  }

  /** Adds a batch of an earlier start, to be {@linkplain #enqueue enqueued} before all others. */
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

  /**
   * Sets the number of batches to be sent before all others, and how many of them are of earlier
   * starts.
   */
  synchronized void resumed(long batches, long ofEarlierStarts) {
    earlierBatches += batches;
    withholding.earlier(ofEarlierStarts);
  }

  /** Adds a batch that was on disk only, to be {@linkplain #enqueue enqueued}. */
  UnacknowledgedBatch reload(SequencedBatch batch, long nowNanos) {
    UnacknowledgedBatch reloaded = UnacknowledgedBatch.ofDisk(batch, nowNanos);
    unacknowledged.count(reloaded);
    return reloaded;
  }

  /** Enqueues the batch for sending. */
  synchronized void enqueue(UnacknowledgedBatch batch) {
    unacknowledged.enqueue(batch);
  }

  /** Removes a batch, not enqueued, from memory; it remains on disk. */
  void forget(UnacknowledgedBatch batch) {
    unacknowledged.uncount(batch);
  }

  /**
   * Whether another batch may be sequenced: the limit is not reached and the partition is not
   * muted.
   */
  boolean hasRoom() {
    return !mute.isMuted()
        && unacknowledged.count() < MAX_BATCHES
        && unacknowledged.bytes() < MAX_BYTES;
  }

  /**
   * Moves the next batch in flight and returns it; null if none waits, too many are in flight, or
   * it must wait.
   *
   * @param aloneFromBytes a batch of at least this size is sent alone in its partition, as are all
   *     batches of a muted partition
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

  /** Time since the oldest batch in flight was sent; 0 if none is in flight. */
  synchronized long unansweredNanos(long nowNanos) {
    UnacknowledgedBatch oldest = unacknowledged.firstInFlight();
    return oldest == null ? 0 : nowNanos - oldest.handedOverNanos();
  }

  /** Removes the batch if it is the first in flight: acknowledgements are in order. */
  synchronized boolean acknowledge(UnacknowledgedBatch batch) {
    if (unacknowledged.firstInFlight() != batch) {
      return false;
    }
    unacknowledged.acknowledgeFirst();
    return true;
  }

  /** Returns all batches in flight, in order, to the front of the waiting ones. */
  synchronized void rewind() {
    unacknowledged.rewind();
  }

  /** The age of the oldest reading that {@link #dropOldest} would drop; -1 if there is none. */
  synchronized long droppableNanos(long nowNanos) {
    UnacknowledgedBatch oldest = unacknowledged.firstWaiting();
    return oldest == null ? accumulator.ageNanos(nowNanos) : nowNanos - oldest.firstAcceptedNanos();
  }

  /**
   * Drops the oldest batch that is not in flight; null if all are. A batch without a sequence gets
   * one first, so that the application detects the gap.
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
    removeSequenced(pending);
    return dropped;
  }

  /**
   * Readings of the partition were dropped, other than by {@link #dropOldest}, or are missing: its
   * batches attest nothing more in this start.
   */
  synchronized void readingsLost() {
    withholding.lost();
  }

  /** A batch was acknowledged or dropped; completes the flushes that waited for it. */
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

  /** Fails the flushes that still wait. */
  void abandonFlushes() {
    List<FlushTicket.Part> abandoned;
    synchronized (this) {
      abandoned = flushes.takeAll();
    }
    abandoned.forEach(part -> part.ticket().abandon());
  }

  /** Whether everything accepted is acknowledged. */
  synchronized boolean isDone() {
    return flushes.areSettled(earlierBatches + accumulator.started());
  }

  long lastSequence() {
    return lastSequence;
  }

  /** The sequenced, unacknowledged batches in memory. */
  UnacknowledgedBatches unacknowledged() {
    return unacknowledged;
  }

  private SequencedBatch sequenced(PendingBatch pending, byte[] value) {
    return new SequencedBatch(
        bootId, partition, nextSequence(), pending.accepted(), value, pending.nanos());
  }

  /** Removes a sequenced batch from the accumulator. */
  private synchronized void removeSequenced(PendingBatch pending) {
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

  /**
   * Decides whether a partition's batches may attest completeness. While batches of an earlier
   * start are unacknowledged, attestations, which cover those too, are held back, the newest per
   * sensor. After a batch of the partition was dropped, none is sent in this start. Guarded by the
   * partition's queue.
   */
  static final class AttestationHold {
    /** Attestations of further sensors are dropped; the sensors' next attestations replace them. */
    private static final int MAX_HELD = 10_000;

    private final Map<String, Long> heldThroughMs = new HashMap<>();
    private long earlierBatches;
    private boolean readingsLost;
    private long withheld;

    /** Sets the number of batches of earlier starts. */
    void earlier(long batches) {
      earlierBatches += batches;
    }

    /** Readings of the partition were lost. */
    void lost() {
      readingsLost = true;
      withheld(heldThroughMs.size());
      heldThroughMs.clear();
    }

    /** Whether an attestation may be added to the next batch. */
    boolean mayAttest() {
      return earlierBatches == 0 && !readingsLost;
    }

    /** Holds an attestation back, or counts it as never sent. */
    void hold(String sensorId, long throughMs) {
      if (readingsLost
          || heldThroughMs.size() >= MAX_HELD && !heldThroughMs.containsKey(sensorId)) {
        withheld(1);
      } else {
        heldThroughMs.merge(sensorId, throughMs, Math::max);
      }
    }

    /**
     * A batch of an earlier start is settled; the last one releases the attestations that were held
     * back.
     */
    void earlierSettled(ObjLongConsumer<String> released) {
      earlierBatches--;
      if (mayAttest()) {
        heldThroughMs.forEach(released::accept);
        heldThroughMs.clear();
      }
    }

    void withheld(int attestations) {
      withheld += attestations;
    }

    /** Number of accepted attestations that are never sent. */
    long withheld() {
      return withheld;
    }
  }

  /**
   * The mute state of a partition and the time of its next attempt. A partition is muted while the
   * brokers reject its first batch, or do not respond for it but respond for others. Sender thread
   * only, except {@link #isMuted}.
   */
  static final class PartitionMute {
    private final Backoff backoff = Backoff.jittered();
    private volatile boolean muted;

    /** Mutes the partition: it sends one batch at a time. */
    void mute() {
      muted = true;
    }

    /** Stops sending for the partition for a growing pause. */
    void pause(long nowNanos) {
      backoff.failed(nowNanos);
    }

    void unmute() {
      muted = false;
      backoff.reset();
    }

    /** Whether nothing was acknowledged since it was muted. Thread-safe. */
    boolean isMuted() {
      return muted;
    }

    /** Whether the pause has not ended. */
    boolean isPausing(long nowNanos) {
      return backoff.remainingNanos(nowNanos) > 0;
    }

    /** Nanoseconds until the end of the pause; {@link Long#MAX_VALUE} if there is none. */
    long retryInNanos(long nowNanos) {
      return isPausing(nowNanos) ? backoff.remainingNanos(nowNanos) : Long.MAX_VALUE;
    }
  }

  /**
   * Counts the acknowledged or dropped batches of a partition, and has the flushes that wait for
   * more. Guarded by its partition's queue, except the tickets: the caller completes a removed
   * ticket outside the lock, because user code may depend on it.
   */
  static final class PendingFlushes {
    private final Deque<FlushTicket.Part> flushes = new ArrayDeque<>();
    private long settledBatches;

    /** Makes the flush wait until this number of batches is settled. */
    void add(FlushTicket ticket, long batches) {
      if (batches > settledBatches) {
        ticket.addPart();
        flushes.addLast(new FlushTicket.Part(batches, ticket));
      }
    }

    void settle(long batches) {
      settledBatches += batches;
    }

    boolean areSettled(long batches) {
      return settledBatches == batches;
    }

    /** Removes and returns a flush whose number is reached; null if there is none. */
    FlushTicket.Part takeReached() {
      boolean reached = !flushes.isEmpty() && flushes.getFirst().settledBatches() <= settledBatches;
      return reached ? flushes.removeFirst() : null;
    }

    List<FlushTicket.Part> takeAll() {
      List<FlushTicket.Part> all = List.copyOf(flushes);
      flushes.clear();
      return all;
    }
  }
}
