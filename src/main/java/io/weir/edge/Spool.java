package io.weir.edge;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The publisher's use of a {@link FileJournal}: what stays in memory and what waits on disk, when
 * the log is tidied, and what happens when it is full. For the sender thread.
 */
final class Spool {
  /** Of each partition so much stays in memory; more waits on disk alone. */
  private static final long LANE_BYTES = 128 * 1024;

  private static final int LANE_BATCHES = 256;
  private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FileJournal journal;
  private final Overflow overflow;
  private final Lanes lanes;
  private final PublisherMetrics metrics;
  private final FailureLog log;
  private long tidyAtNanos;
  private boolean tidied;
  private final ReplayRate rate;

  Spool(
      FileJournal journal,
      Overflow overflow,
      Lanes lanes,
      PublisherMetrics metrics,
      ReplayRate rate,
      FailureLog log) {
    this.rate = rate;
    this.journal = journal;
    this.overflow = overflow;
    this.lanes = lanes;
    this.metrics = metrics;
    this.log = log;
    for (int partition = 0; partition < lanes.count(); partition++) {
      lanes.of(partition).earlier(journal.backlog().readings(partition));
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
        lanes.of(batch.partition()).settled(batch.readings());
        metrics.dropped(batch.readings());
      }
      return true;
    } catch (IOException e) {
      log.failed("the oldest segment cannot be dropped", e, nowNanos);
      return false;
    }
  }

  /** Whether a batch that was just kept may be sent from memory; if not, it waits on disk. */
  boolean staysInMemory(Shipment shipment) {
    PartitionLane lane = shipment.lane();
    boolean room = lane.bytesUnderWay() <= LANE_BYTES && lane.batchesUnderWay() <= LANE_BATCHES;
    if (room && !journal.backlog().has(lane.partition())) {
      return true;
    }
    journal.backlog().spill(shipment.batch());
    return false;
  }

  /** Reads on where there is room for it; returns whether there may be more. */
  boolean refill(Consumer<SequencedBatch> taker, long nowNanos) {
    rate.fill(nowNanos);
    try {
      return journal.backlog().refill(new LaneTaker(taker));
    } catch (IOException e) {
      log.failed("batches cannot be read from the disk", e, nowNanos);
      return false;
    }
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

  /** Takes what lanes have room for; one that is held has room for one batch. */
  private final class LaneTaker implements JournalBacklog.Taker {
    private final Consumer<SequencedBatch> taker;

    LaneTaker(Consumer<SequencedBatch> taker) {
      this.taker = taker;
    }

    @Override
    public boolean wants(int partition) {
      PartitionLane lane = lanes.of(partition);
      if (!rate.allows()) {
        return false;
      }
      return lane.hold().isHeld()
          ? lane.batchesUnderWay() == 0
          : lane.bytesUnderWay() < LANE_BYTES && lane.batchesUnderWay() < LANE_BATCHES;
    }

    @Override
    public void take(SequencedBatch batch) {
      rate.took(batch.readings());
      taker.accept(batch);
    }
  }
}
