package io.weir.edge;

import io.weir.internal.wire.BatchEncoder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Collects accepted records in an open batch until it is full or its flush interval ends. Guarded
 * by the queue.
 *
 * @param <B> the type of the batches
 */
abstract class BatchAccumulator<B extends PendingBatch> {
  /** Number of empty batches that are kept for reuse: a run of the send loop may free several. */
  private static final int MAX_SPARES = 4;

  /** The result of an append. */
  enum Appended {
    ADDED,
    /** It was folded into a pending record and needs no capacity. */
    MERGED,
    /** It was the first record of a batch, whose flush interval begins. */
    STARTED,
    /** A batch became full and is due. */
    FILLED,
    CLOSED,
    /** Rejected: too many records of this partition are unacknowledged. */
    OVER_ITS_SHARE;

    /** Whether the appended record needs queue capacity. */
    boolean takesRoom() {
      return this == ADDED || this == STARTED || this == FILLED;
    }
  }

  private final QueueSettings settings;
  private final Ticker ticker;
  private final Supplier<B> newBatch;
  private final Deque<B> full = new ArrayDeque<>();
  private B open;
  private final Deque<B> spares = new ArrayDeque<>(MAX_SPARES);
  private boolean flushing;
  private boolean closed;
  private long started;
  private long accepted;
  private long unacknowledgedReadings;
  private long unacknowledgedLimit = Long.MAX_VALUE;

  BatchAccumulator(QueueSettings settings, Ticker ticker, Supplier<B> newBatch) {
    this.settings = settings;
    this.ticker = ticker;
    this.newBatch = newBatch;
    this.open = newBatch.get();
  }

  /** The batch to which records are appended. */
  final B open() {
    return open;
  }

  /** Why appends are rejected now, or null. */
  final Appended refusal() {
    if (closed) {
      return Appended.CLOSED;
    }
    return isOverShare() && settings.overflow() == Overflow.SUSPEND
        ? Appended.OVER_ITS_SHARE
        : null;
  }

  /** Begins another batch if the open one is full or has no room for the next record. */
  final boolean makeRoom(boolean hasRoom) {
    boolean overflowed = isFull() || !hasRoom;
    if (overflowed) {
      seal();
    }
    return overflowed;
  }

  /** A record was added to the open batch. */
  final Appended accepted(boolean overflowed, boolean first) {
    accepted++;
    unacknowledgedReadings++;
    return added(overflowed, first);
  }

  /**
   * Adds an attestation; also after the close, for attestations that were held back.
   *
   * @param takes its cost in queue capacity, unless it is merged with one of its sensor
   */
  Appended attest(String sensorId, int idBytes, long throughMs, long takes) {
    if (open.attests(sensorId)) {
      open.attest(sensorId, idBytes, throughMs, 0);
      return Appended.MERGED;
    }
    boolean overflowed = makeRoom(open.hasRoom(BatchEncoder.mostBytesOfEntry(idBytes)));
    boolean first = begin();
    open.attest(sensorId, idBytes, throughMs, takes);
    return added(overflowed, first);
  }

  /**
   * Accepted readings that were older than an earlier reading of their sensor; 0 if not ordered.
   */
  long outOfOrder() {
    return 0;
  }

  boolean isClosed() {
    return closed;
  }

  /** Number of batches begun so far, including a non-empty open batch. */
  long started() {
    return open.isEmpty() ? started : started + 1;
  }

  /** Adds unacknowledged readings of an earlier start. */
  void resumeReadings(int readings) {
    unacknowledgedReadings += readings;
  }

  /** Accepted or resumed readings were acknowledged or dropped. */
  void releaseReadings(int readings) {
    unacknowledgedReadings -= readings;
  }

  /** Rejects readings while this number is unacknowledged. */
  void limitUnacknowledged(long readings) {
    unacknowledgedLimit = readings;
  }

  /** Whether the partition has more unacknowledged readings than its share. */
  boolean isOverShare() {
    return unacknowledgedReadings >= unacknowledgedLimit;
  }

  /** Age of the oldest pending reading; -1 if there is none. */
  long ageNanos(long nowNanos) {
    B oldest = full.isEmpty() ? open : full.getFirst();
    return oldest.isEmpty() ? -1 : nowNanos - oldest.firstAcceptedNanos();
  }

  /**
   * Closes the oldest batch, due or not, to further readings and returns it without removing it;
   * null if there is none.
   */
  B sealOldest() {
    if (full.isEmpty() && !open.isEmpty()) {
      seal();
    }
    return full.peekFirst();
  }

  /** Makes all pending batches due. */
  void flush() {
    flushing |= !open.isEmpty();
  }

  /** Rejects further records and makes all pending batches due. */
  void close() {
    closed = true;
  }

  /** Number of readings accepted so far. */
  long accepted() {
    return accepted;
  }

  boolean isEmpty() {
    return open.isEmpty() && full.isEmpty();
  }

  /** Nanoseconds until a batch is due; {@link Long#MAX_VALUE} for none. */
  long dueInNanos(long nowNanos) {
    if (isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (!full.isEmpty() || isFull() || flushing || closed) {
      return 0;
    }
    long waited = nowNanos - open.firstAcceptedNanos();
    return Math.max(0, settings.flushIntervalNanos() - waited);
  }

  /** Whether the flush interval of the open batch has ended. */
  boolean isTickDue(long nowNanos) {
    return !open.isEmpty() && nowNanos - open.firstAcceptedNanos() >= settings.flushIntervalNanos();
  }

  /**
   * Closes the oldest due batch to further readings and returns it without removing it; null if
   * there is none.
   */
  B sealDue(long nowNanos) {
    if (dueInNanos(nowNanos) > 0) {
      return null;
    }
    if (full.isEmpty()) {
      seal();
    }
    return full.getFirst();
  }

  /** Removes the oldest batch, which was due, and keeps its buffers for reuse. */
  void removeDue() {
    B removed = full.removeFirst();
    removed.clear();
    if (spares.size() < MAX_SPARES) {
      spares.addLast(removed);
    }
  }

  private boolean isFull() {
    return open.size() + open.attested() >= settings.batchMaxReadings();
  }

  /** Whether the next record is the first of its batch. */
  final boolean begin() {
    if (!open.isEmpty()) {
      return false;
    }
    open.startedAt(ticker.nanoTime());
    return true;
  }

  private Appended added(boolean overflowed, boolean first) {
    return overflowed || isFull() ? Appended.FILLED : first ? Appended.STARTED : Appended.ADDED;
  }

  private void seal() {
    // Allocate first: an OutOfMemoryError must leave the state unchanged.
    B next = spares.isEmpty() ? newBatch.get() : spares.removeLast();
    full.addLast(open);
    started++;
    open = next;
    flushing = false;
  }
}
