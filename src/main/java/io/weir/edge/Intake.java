package io.weir.edge;

import io.weir.reading.Reading;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The near end of a lane: readings are taken into an open batch, which waits until it is full or
 * its time has come. Guarded by the lane.
 */
final class Intake {
  /** Emptied batches that are kept for others: a turn of the sender may bring back several. */
  private static final int MAX_SPARES = 4;

  /** What one append did. */
  enum Appended {
    ADDED,
    /** It was the first reading of a batch, whose flush interval begins. */
    STARTED,
    /** A batch became full and can go. */
    FILLED,
    CLOSED
  }

  private final LaneSettings settings;
  private final Ticker ticker;
  private final Deque<PendingBatch> full = new ArrayDeque<>();
  private PendingBatch open;
  private final Deque<PendingBatch> spares = new ArrayDeque<>(MAX_SPARES);
  private boolean flushing;
  private boolean closed;
  private long accepted;

  Intake(LaneSettings settings, Ticker ticker) {
    this.settings = settings;
    this.ticker = ticker;
    this.open = settings.newBatch();
  }

  Appended append(Reading reading, long digest, Acknowledgement acknowledgement) {
    if (closed) {
      return Appended.CLOSED;
    }
    boolean overflowed = !open.hasRoomFor(IdDigest.bytes(digest));
    if (overflowed) {
      seal();
    }
    boolean first = open.isEmpty();
    if (first) {
      open.startedAt(ticker.nanoTime());
    }
    open.add(reading, digest, acknowledgement);
    accepted++;
    boolean filled = open.size() >= settings.batchMaxReadings();
    if (filled) {
      seal();
    }
    return overflowed || filled ? Appended.FILLED : first ? Appended.STARTED : Appended.ADDED;
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
    if (!full.isEmpty() || flushing || closed) {
      return 0;
    }
    long waited = nowNanos - open.firstAcceptedNanos();
    return Math.max(0, settings.flushIntervalNanos() - waited);
  }

  /** Takes out the oldest batch that is due; null where none is. */
  PendingBatch takeDue(long nowNanos) {
    if (dueInNanos(nowNanos) > 0) {
      return null;
    }
    if (!full.isEmpty()) {
      return full.removeFirst();
    }
    PendingBatch due = open;
    renewOpen();
    return due;
  }

  /** Gives back a batch that was taken out, emptied. */
  void recycle(PendingBatch emptied) {
    if (spares.size() < MAX_SPARES) {
      spares.addLast(emptied);
    }
  }

  /** Where a flush of what is here waits; only where there is something. */
  List<FlushTicket> flushesOfLast() {
    return open.isEmpty() ? full.getLast().flushes() : open.flushes();
  }

  private void seal() {
    full.addLast(open);
    renewOpen();
  }

  private void renewOpen() {
    open = spares.isEmpty() ? settings.newBatch() : spares.removeLast();
    flushing = false;
  }
}
