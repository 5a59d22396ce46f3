package io.weir.edge;

import java.io.IOException;
import java.util.Deque;
import java.util.LinkedList;
import java.util.concurrent.TimeUnit;

/**
 * The publisher's use of a {@link FileJournal}: what stays in memory and what waits on disk, when
 * the log is tidied, and what happens when it is full. For the sender thread.
 */
final class Spool {
  /** Of each partition so much stays in memory; more waits on disk alone. */
  private static final long MEMORY_BYTES = 128 * 1024;

  private static final int MEMORY_BATCHES = 256;
  private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FileJournal journal;
  private final Overflow overflow;
  private final PartitionQueues<?> queues;
  private final PublisherMetrics metrics;
  private final ReplayRate rate;
  private final FailureLog log;

  /** Linked: where there is no memory to add one, it is as it was. */
  private final Deque<UnacknowledgedBatch> reloaded = new LinkedList<>();

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

  /** Tells the queues what is on disk of earlier starts. */
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

  /** Readings on disk that are not acknowledged. For any thread. */
  long unacknowledgedReadings() {
    return journal.unacknowledgedReadings();
  }

  /** Whether more may be kept; drops what is oldest where that is wanted. */
  boolean makeRoom(long nowNanos) {
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

  /** Whether a batch that was just written may be sent from memory; if not, it waits on disk. */
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

  /** Reads on where there is room for it; returns whether there may be more on disk. */
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
   * The next batch that was read, which counts in its queue and goes on by {@link
   * PartitionQueue#enqueue}; null for none.
   */
  UnacknowledgedBatch nextReloaded() {
    return reloaded.peekFirst();
  }

  /** That one goes on by its queue. */
  void removeReloaded() {
    reloaded.removeFirst();
  }

  /** Nanoseconds until more may be read; {@link Long#MAX_VALUE} where it is not waited for. */
  long replayInNanos() {
    return rate.allows() ? Long.MAX_VALUE : rate.waitNanos();
  }

  /** Tidies the log where it is time; returns nanoseconds until the next time. */
  long tidy(long nowNanos) {
    if (!tidied || tidyAtNanos - nowNanos <= 0) {
      tidied = true;
      tidyAtNanos = nowNanos + TIDY_NANOS;
      try {
        journal.tidy();
      } catch (IOException e) {
        log.failed("acknowledgements cannot be noted; they are sent again", e, nowNanos);
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

  /** Takes what queues have room for; one that is muted has room for one batch. */
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
      rate.took(batch.readings());
      reloaded.addLast(queues.of(batch.partition()).reload(batch, nowNanos));
    }
  }
}
