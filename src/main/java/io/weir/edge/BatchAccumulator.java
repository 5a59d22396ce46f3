package io.weir.edge;

import io.weir.reading.Reading;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The near end of a queue: readings are taken into an open batch, which waits until it is full or
 * its time has come. Guarded by the queue.
 */
final class BatchAccumulator {
  /** Emptied batches that are kept for others: a turn of the sender may bring back several. */
  private static final int MAX_SPARES = 4;

  /** What one append did. */
  enum Appended {
    ADDED,
    /** It became part of what was there, and takes no room. */
    MERGED,
    /** It was the first reading of a batch, whose flush interval begins. */
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
  private final Deque<PendingBatch> full = new ArrayDeque<>();
  private PendingBatch open;
  private final Deque<PendingBatch> spares = new ArrayDeque<>(MAX_SPARES);
  private final OrderWatch order;
  private boolean flushing;
  private boolean closed;
  private long started;
  private long accepted;
  private long left;
  private long most = Long.MAX_VALUE;

  BatchAccumulator(QueueSettings settings, Ticker ticker) {
    this.settings = settings;
    this.ticker = ticker;
    this.open = settings.newBatch();
    this.order = settings.ordered() ? new OrderWatch() : null;
  }

  Appended append(Reading reading, long digest, Acknowledgement acknowledgement) {
    if (closed) {
      return Appended.CLOSED;
    }
    if (isOverShare() && settings.overflow() == Overflow.SUSPEND) {
      turnedAway(reading);
      return Appended.OVER_ITS_SHARE;
    }
    boolean overflowed = isFull() || !open.hasRoomFor(IdDigest.bytes(digest));
    if (overflowed) {
      seal();
    }
    boolean first = begin();
    if (order != null && !order.accepted(reading)) {
      open.notOrdered(reading.sensorId());
    }
    open.add(reading, digest, acknowledgement);
    accepted++;
    left++;
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
    boolean overflowed = isFull() || !open.hasRoomToAttest(idBytes);
    if (overflowed) {
      seal();
    }
    boolean first = begin();
    open.attest(sensorId, idBytes, throughMs, takes);
    return added(overflowed, first);
  }

  /** A reading was not taken, for want of room. */
  void turnedAway(Reading reading) {
    if (order != null) {
      order.turnedAway(reading);
    }
  }

  /** Readings accepted that were older than one of their sensor before; 0 if not ordered. */
  long outOfOrder() {
    return order == null ? 0 : order.outOfOrder();
  }

  boolean isClosed() {
    return closed;
  }

  /** Batches ever begun, the open one too once something is in it. */
  long started() {
    return open.isEmpty() ? started : started + 1;
  }

  /** Readings that were accepted here, or before, are acknowledged. */
  void left(int readings) {
    left -= readings;
  }

  /** Takes no reading more while so many are not acknowledged. */
  void takeAtMost(long readings) {
    most = readings;
  }

  /** Whether more readings are not acknowledged than the partition may have. */
  boolean isOverShare() {
    return left >= most;
  }

  /** How long ago the oldest reading was taken that is here; -1 where none is. */
  long ageNanos(long nowNanos) {
    PendingBatch oldest = full.isEmpty() ? open : full.getFirst();
    return oldest.isEmpty() ? -1 : nowNanos - oldest.firstAcceptedNanos();
  }

  /** The oldest batch, due or not, which takes no more readings and stays; null where none is. */
  PendingBatch sealOldest() {
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
  PendingBatch sealDue(long nowNanos) {
    if (dueInNanos(nowNanos) > 0) {
      return null;
    }
    if (full.isEmpty()) {
      seal();
    }
    return full.getFirst();
  }

  /** Takes out the oldest batch, which was due. */
  void removeDue() {
    full.removeFirst();
  }

  /** Gives back a batch that was taken out, emptied. */
  void recycle(PendingBatch emptied) {
    if (spares.size() < MAX_SPARES) {
      spares.addLast(emptied);
    }
  }

  private boolean isFull() {
    return open.size() + open.attested() >= settings.batchMaxReadings();
  }

  /** Whether what is added now is the first of its batch. */
  private boolean begin() {
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
    PendingBatch next = spares.isEmpty() ? settings.newBatch() : spares.removeLast();
    full.addLast(open);
    started++;
    open = next;
    flushing = false;
  }
}
