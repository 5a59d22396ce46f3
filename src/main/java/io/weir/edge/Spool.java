package io.weir.edge;

import java.io.IOException;
import java.util.Deque;
import java.util.LinkedList;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Manages a {@link FileJournal}: decides which batches stay in memory, when the log is cleaned, and
 * how to react to the size limit. Sender thread only.
 */
final class Spool {
  /** Maximum bytes per partition in memory; further batches are on disk only. */
  private static final long MEMORY_BYTES = 128 * 1024;

  private static final int MEMORY_BATCHES = 256;
  private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FileJournal journal;
  private final Overflow overflow;
  private final PartitionQueues<?> queues;
  private final PublisherMetrics metrics;
  private final ReplayRate rate;
  private final FailureLog log;

  /** A linked list is unchanged after an OutOfMemoryError in add. */
  private final Deque<UnacknowledgedBatch> reloaded = new LinkedList<>();

  private volatile boolean suspended;
  private long tidyAtNanos;
  private boolean tidied;

  Spool(PublisherContext context, FileJournal journal) {
    this.journal = journal;
    this.overflow = context.settings().overflow();
    this.queues = context.queues();
    this.metrics = context.metrics();
    this.rate = new ReplayRate(context.settings().keepReplayRate(), context.ticker().nanoTime());
    this.log = context.newLog();
  }

  /** Passes the number of earlier starts' batches to the queues. */
  void resume() {
    for (int partition = 0; partition < queues.count(); partition++) {
      PartitionQueue queue = queues.of(partition);
      long batches = journal.backlog().batches(partition);
      queue.resumed(batches, batches);
      if (journal.isDamaged()) {
        queue.readingsLost();
      }
    }
  }

  /** Number of unacknowledged readings on disk. Thread-safe. */
  long unacknowledgedReadings() {
    return journal.unacknowledgedReadings();
  }

  /** Whether the last look found room. Thread-safe. */
  boolean hasRoom() {
    return !suspended;
  }

  /** Whether more may be stored; drops the oldest segment if the policy says so. */
  boolean makeRoom(long nowNanos) {
    suspended = !hasOrMakesRoom(nowNanos);
    return !suspended;
  }

  private boolean hasOrMakesRoom(long nowNanos) {
    if (!journal.isFull()) {
      return true;
    }
    try {
      journal.dropAcknowledged();
    } catch (IOException e) {
      log.failed("acknowledged segments cannot be deleted", e, nowNanos);
    }
    if (!journal.isFull()) {
      return true;
    }
    if (overflow == Overflow.SUSPEND) {
      return false;
    }
    try {
      for (SequencedBatch batch : journal.dropOldest()) {
        PartitionQueue queue = queues.of(batch.partition());
        queue.readingsLost();
        queue.settled(batch);
        metrics.dropped(batch.readings());
      }
      return true;
    } catch (IOException e) {
      log.failed("the oldest segment cannot be dropped", e, nowNanos);
      return false;
    }
  }

  /** Whether a batch that was just written stays in memory; if not, it is on disk only. */
  boolean staysInMemory(UnacknowledgedBatch batch) {
    UnacknowledgedBatches inMemory = queues.of(batch).unacknowledged();
    boolean room = inMemory.bytes() <= MEMORY_BYTES && inMemory.count() <= MEMORY_BATCHES;
    if (room && !journal.backlog().has(batch.partition())) {
      journal.backlog().keepInMemory(batch.sequenced());
      return true;
    }
    journal.backlog().spill(batch.sequenced());
    return false;
  }

  /** Reads batches while memory is free; returns whether there may be more on disk. */
  boolean refill(long nowNanos) {
    rate.fill(nowNanos);
    try {
      return journal.backlog().refill(new RoomTaker(nowNanos));
    } catch (IOException e) {
      log.failed("batches cannot be read from the disk", e, nowNanos);
      return false;
    }
  }

  /**
   * The next batch that was read, to be passed to {@link PartitionQueue#enqueue}; null for none.
   */
  UnacknowledgedBatch nextReloaded() {
    return reloaded.peekFirst();
  }

  /** Removes that batch. */
  void removeReloaded() {
    reloaded.removeFirst();
  }

  /** Nanoseconds until more may be read; {@link Long#MAX_VALUE} for none. */
  long replayInNanos() {
    return rate.allows() ? Long.MAX_VALUE : rate.waitNanos();
  }

  /** Cleans the log if it is due; returns the nanoseconds until the next time. */
  long tidy(long nowNanos) {
    if (!tidied || tidyAtNanos - nowNanos <= 0) {
      tidied = true;
      tidyAtNanos = nowNanos + TIDY_NANOS;
      try {
        journal.tidy();
        suspended &= journal.isFull();
      } catch (IOException e) {
        log.failed(
            "acknowledgements cannot be recorded; their batches are sent again after "
                + "a restart",
            e,
            nowNanos);
      }
    }
    return journal.isTidy() ? Long.MAX_VALUE : tidyAtNanos - nowNanos;
  }

  void close(long nowNanos) {
    try {
      journal.close();
    } catch (IOException e) {
      log.failed("the journal cannot be closed", e, nowNanos);
    }
  }

  /** Accepts batches while queues have capacity; a muted queue accepts one batch. */
  private final class RoomTaker implements JournalBacklog.Taker {
    private final long nowNanos;

    RoomTaker(long nowNanos) {
      this.nowNanos = nowNanos;
    }

    @Override
    public boolean wants(int partition) {
      if (!rate.allows()) {
        return false;
      }
      PartitionQueue queue = queues.of(partition);
      UnacknowledgedBatches inMemory = queue.unacknowledged();
      return queue.mute().isMuted()
          ? inMemory.count() == 0
          : inMemory.bytes() < MEMORY_BYTES && inMemory.count() < MEMORY_BATCHES;
    }

    @Override
    public void take(SequencedBatch batch) {
      rate.spend(batch.readings());
      reloaded.addLast(queues.of(batch.partition()).reload(batch, nowNanos));
    }
  }

  /**
   * Limits the readings per second that are sent from the disk: a token bucket that holds at most
   * the tokens of one second. A batch may be sent while the balance is positive and may make it
   * negative. Not thread-safe.
   */
  static final class ReplayRate {
    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Optional<Long> readingsPerSecond;
    private double budget = 1;
    private long filledAtNanos;

    ReplayRate(Optional<Long> readingsPerSecond, long nowNanos) {
      this.readingsPerSecond = readingsPerSecond;
      this.filledAtNanos = nowNanos;
    }

    /** Adds the tokens for the time since the last call. */
    void fill(long nowNanos) {
      if (readingsPerSecond.isPresent()) {
        long rate = readingsPerSecond.get();
        double earned = (nowNanos - filledAtNanos) / SECOND_NANOS * rate;
        budget = Math.min(Math.max(1, rate), budget + earned);
        filledAtNanos = nowNanos;
      }
    }

    boolean allows() {
      return readingsPerSecond.isEmpty() || budget > 0;
    }

    void spend(int readings) {
      if (readingsPerSecond.isPresent()) {
        budget -= readings;
      }
    }

    /** Nanoseconds until the next batch may be sent, from the last {@link #fill}. */
    long waitNanos() {
      return allows() ? 0 : 1 + (long) (-budget / readingsPerSecond.get() * SECOND_NANOS);
    }
  }
}
