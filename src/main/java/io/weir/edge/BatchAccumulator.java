package io.weir.edge;

import io.weir.wire.BatchEncoder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * The near end of a queue: what is accepted is taken into an open batch, which waits until it is
 * full or its time has come. Guarded by the queue.
 *
 * @param <B> what a batch is made of
 */
abstract class BatchAccumulator<B extends PendingBatch> {
  /** Emptied batches that are kept for others: a turn of the sender may bring back several. */
  private static final int MAX_SPARES = 4;

  /** What one append did. */
  enum Appended {
    ADDED,
    /** It became part of what was there, and takes no room. */
    MERGED,
    /** It was the first of a batch, whose flush interval begins. */
    STARTED,
    /** A batch became full and can go. */
    FILLED,
    CLOSED,
    /** Not taken: too many of this partition are not acknowledged. */
    OVER_ITS_SHARE;

    /** Whether what was appended takes room of the queue now. */
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

  /** The batch that takes what is accepted. */
  final B open() {
    return open;
  }

  /** Why nothing is taken now, or null. */
  final Appended refusal() {
    if (closed) {
      return Appended.CLOSED;
    }
    return isOverShare() && settings.overflow() == Overflow.SUSPEND
        ? Appended.OVER_ITS_SHARE
        : null;
  }

  /** Begins another batch where the open one is full, or has no room for what comes next. */
  final boolean makeRoom(boolean hasRoom) {
    boolean overflowed = isFull() || !hasRoom;
    if (overflowed) {
      seal();
    }
    return overflowed;
  }

  /** Something was added to the open batch. */
  final Appended accepted(boolean overflowed, boolean first) {
    accepted++;
    unacknowledgedReadings++;
    return added(overflowed, first);
  }

  /**
   * Takes an attestation; also after the close, for those that were taken before and held back.
   *
   * @param takes what it takes of the queue, where it is not merged with one of its sensor
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

  /** Readings accepted that were older than one of their sensor before; 0 if not ordered. */
  long outOfOrder() {
    return 0;
  }

  boolean isClosed() {
    return closed;
  }

  /** Batches ever begun, the open one too once something is in it. */
  long started() {
    return open.isEmpty() ? started : started + 1;
  }

  /** Readings of an earlier start, which are not acknowledged either. */
  void resumeReadings(int readings) {
    unacknowledgedReadings += readings;
  }

  /** Readings that were accepted here, or resumed, are acknowledged, or given up. */
  void releaseReadings(int readings) {
    unacknowledgedReadings -= readings;
  }

  /** Takes no reading more while so many are not acknowledged. */
  void limitUnacknowledged(long readings) {
    unacknowledgedLimit = readings;
  }

  /** Whether more readings are not acknowledged than the partition may have. */
  boolean isOverShare() {
    return unacknowledgedReadings >= unacknowledgedLimit;
  }

  /** How long ago the oldest reading was taken that is here; -1 where none is. */
  long ageNanos(long nowNanos) {
    B oldest = full.isEmpty() ? open : full.getFirst();
    return oldest.isEmpty() ? -1 : nowNanos - oldest.firstAcceptedNanos();
  }

  /** The oldest batch, due or not, which takes no more readings and stays; null where none is. */
  B sealOldest() {
    if (full.isEmpty() && !open.isEmpty()) {
      seal();
    }
    return full.peekFirst();
  }

  /** What is here is due at once. */
  void flush() {
    flushing |= !open.isEmpty();
  }

  /** Takes nothing more; what is here is due at once. */
  void close() {
    closed = true;
  }

  /** Readings ever accepted. */
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

  /** Whether the open batch has waited for its time. */
  boolean isTickDue(long nowNanos) {
    return !open.isEmpty() && nowNanos - open.firstAcceptedNanos() >= settings.flushIntervalNanos();
  }

  /** The oldest batch that is due, which takes no more readings and stays; null where none is. */
  B sealDue(long nowNanos) {
    if (dueInNanos(nowNanos) > 0) {
      return null;
    }
    if (full.isEmpty()) {
      seal();
    }
    return full.getFirst();
  }

  /** Takes out the oldest batch, which was due, and keeps its room for another. */
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

  /** Whether what is added now is the first of its batch. */
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
    // The next one first: where there is no memory for it, nothing has changed.
    B next = spares.isEmpty() ? newBatch.get() : spares.removeLast();
    full.addLast(open);
    started++;
    open = next;
    flushing = false;
  }
}
