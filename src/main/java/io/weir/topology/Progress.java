package io.weir.topology;

import io.weir.topic.SensorPartition;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * How far this process has come with each of its partitions: when something of it was committed
 * last, and the append time of the newest record that was processed. Safe for many threads; a call
 * costs a few volatile writes.
 */
public final class Progress {
  private static final long NOT_OWNED = Long.MIN_VALUE;

  private final LongSupplier elapsedMs;
  private final AtomicLongArray committedMs = new AtomicLongArray(SensorPartition.COUNT);
  private final AtomicLongArray appendMs = new AtomicLongArray(SensorPartition.COUNT);
  private volatile long movedMs;

  /**
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   */
  public Progress(LongSupplier elapsedMs) {
    this.elapsedMs = elapsedMs;
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      committedMs.set(partition, NOT_OWNED);
    }
    moved();
  }

  /**
   * A task of this process begins with a partition.
   *
   * @param newestAppendMs append time of the newest record that its state knows
   */
  void taken(int partition, long newestAppendMs) {
    appendMs.set(partition, newestAppendMs);
    committedMs.set(partition, elapsedMs.getAsLong());
  }

  /** A record was processed; it is not committed yet. */
  void processed(int partition, long recordAppendMs) {
    appendMs.set(partition, recordAppendMs);
  }

  /** A transaction with records of a partition was committed. */
  public void committed(int partition) {
    moved();
    if (committedMs.get(partition) != NOT_OWNED) {
      committedMs.set(partition, movedMs);
    }
  }

  /** The task with a partition is closed. */
  void gone(int partition) {
    committedMs.set(partition, NOT_OWNED);
  }

  /** The process got on with something else: state was read, or there is nothing for it to do. */
  public void moved() {
    movedMs = elapsedMs.getAsLong();
  }

  /** Partitions whose tasks run here. */
  public int partitions() {
    int owned = 0;
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      owned += committedMs.get(partition) == NOT_OWNED ? 0 : 1;
    }
    return owned;
  }

  /**
   * For how long the partition that waits for longest has not been committed; of a process without
   * partitions, for how long nothing has moved. As a silent partition gets a tick every {@link
   * TickClock#HEARTBEAT_MS}, more than that and a commit interval means that something stands
   * still.
   */
  public long commitAgeMs() {
    long oldestMs = movedMs;
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      long atMs = committedMs.get(partition);
      oldestMs = atMs == NOT_OWNED ? oldestMs : Math.min(oldestMs, atMs);
    }
    return Math.max(0, elapsedMs.getAsLong() - oldestMs);
  }

  /**
   * For how long the newest processed record of a partition has been on the topic; 0 if the
   * partition is not this process's, or nothing of it is known.
   *
   * @param nowMs the wall clock
   */
  public long delayMs(int partition, long nowMs) {
    long newestMs = appendMs.get(partition);
    boolean known = committedMs.get(partition) != NOT_OWNED && newestMs > 0;
    return known ? Math.max(0, nowMs - newestMs) : 0;
  }
}
