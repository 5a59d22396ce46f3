package io.weir.internal.topology;

import io.weir.topic.SensorPartition;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * How far this process has come with the partitions of a topic: when something of each was
 * committed last, and the append time of the newest record that was processed. Safe for many
 * threads; a call costs a few volatile writes.
 */
public final class InputProgress {
  private static final long NOT_OWNED = Long.MIN_VALUE;

  private final LongSupplier elapsedMs;
  private final Runnable onCommit;
  private final AtomicLongArray committedMs = new AtomicLongArray(SensorPartition.COUNT);
  private final AtomicLongArray appendMs = new AtomicLongArray(SensorPartition.COUNT);

  InputProgress(LongSupplier elapsedMs, Runnable onCommit) {
    this.elapsedMs = elapsedMs;
    this.onCommit = onCommit;
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      committedMs.set(partition, NOT_OWNED);
    }
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
    onCommit.run();
    if (committedMs.get(partition) != NOT_OWNED) {
      committedMs.set(partition, elapsedMs.getAsLong());
    }
  }

  /** The task with a partition is closed. */
  void gone(int partition) {
    committedMs.set(partition, NOT_OWNED);
  }

  /** Whether the task with a partition runs here. */
  public boolean owns(int partition) {
    return committedMs.get(partition) != NOT_OWNED;
  }

  /** Partitions whose tasks run here. */
  int partitions() {
    int owned = 0;
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      owned += committedMs.get(partition) == NOT_OWNED ? 0 : 1;
    }
    return owned;
  }

  /**
   * When the partition that waits for longest was committed, by the monotonic clock; {@link
   * Long#MAX_VALUE} where none runs here.
   */
  long oldestCommitMs() {
    long oldestMs = Long.MAX_VALUE;
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      long atMs = committedMs.get(partition);
      oldestMs = atMs == NOT_OWNED ? oldestMs : Math.min(oldestMs, atMs);
    }
    return oldestMs;
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
