package io.weir.edge;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Mutes partitions that do not get on while others do, so that they cost nobody but themselves: the
 * brokers refuse their next batch as too large, or do not answer for it, as they have no leader. A
 * muted partition's bytes leave the send window, it takes at most a share of the queue, and it is
 * tried again one batch at a time: where that fails nothing of the partition has overtaken it, so
 * the producer, and with it every other partition, goes on.
 *
 * <p>The topic's limit is of compressed bytes, and unknown here. While a partition is muted,
 * batches at least half as large as the smallest that was refused go alone too: a limit that
 * batches of all partitions exceed then costs one producer or a few, not one for each. For the
 * sender thread.
 */
final class PartitionMuting {
  /** A partition that is not answered for so long, where a later batch of another is, is muted. */
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PartitionQueues<?> queues;
  private final SendWindow window;
  private final long queueCapacity;
  private final FailureLog log;
  private int aloneFromBytes = Integer.MAX_VALUE;
  private boolean anyAnswered;
  private long latestAnsweredNanos;

  PartitionMuting(PublisherContext context, SendWindow window) {
    this.queues = context.queues();
    this.window = window;
    this.queueCapacity = context.limit().capacity();
    this.log = context.newLog();
  }

  /** Batches of so many bytes are handed over with nothing of their partition beside them. */
  int aloneFromBytes() {
    return aloneFromBytes;
  }

  /** The batch is too large: it waits, and all behind it, for a pause that grows. */
  void refused(UnacknowledgedBatch batch, BatchRefusedException refusal, long nowNanos) {
    mute(queues.of(batch));
    aloneFromBytes = Math.min(aloneFromBytes, batch.bytes() / 2);
    retryLater(batch, nowNanos);
    log.failed(
        "partition %d waits, its next batch of %d bytes is refused; the others go on"
            .formatted(batch.partition(), batch.bytes()),
        refusal.getCause(),
        nowNanos);
  }

  /** Whether this says no more than that a partition that is muted already cannot be written. */
  boolean concernsItsPartitionAlone(UnacknowledgedBatch batch, Exception failure) {
    return failure instanceof RetriableException && queues.of(batch).mute().isMuted();
  }

  /** The batch of a muted partition was not delivered in time. */
  void notDelivered(UnacknowledgedBatch batch, Exception failure, long nowNanos) {
    retryLater(batch, nowNanos);
    log.failed(
        "partition %d cannot be written; the others go on".formatted(batch.partition()),
        failure,
        nowNanos);
  }

  /** The batch was taken, and has left its queue: what was behind it goes on. */
  void acknowledged(UnacknowledgedBatch batch) {
    PartitionQueue queue = queues.of(batch);
    if (!anyAnswered || batch.handedOverNanos() - latestAnsweredNanos > 0) {
      anyAnswered = true;
      latestAnsweredNanos = batch.handedOverNanos();
    }
    if (!queue.mute().isMuted()) {
      window.acknowledged(batch);
      return;
    }
    window.takeBack(queue.partition(), queue.unacknowledged());
    queue.mute().unmute();
    queue.limitUnacknowledged(Long.MAX_VALUE);
    shareQueue();
    if (queues.muted() == 0) {
      aloneFromBytes = Integer.MAX_VALUE;
      log.succeeded();
    }
  }

  /** Mutes the partitions that are not answered while others are. */
  void muteSilent(long nowNanos) {
    for (int i = 0; anyAnswered && i < queues.count(); i++) {
      PartitionQueue queue = queues.of(i);
      long unansweredNanos = queue.unansweredNanos(nowNanos);
      if (unansweredNanos >= SILENT_NANOS
          && latestAnsweredNanos - (nowNanos - unansweredNanos) > 0
          && !queue.mute().isMuted()) {
        mute(queue);
      }
    }
  }

  private void mute(PartitionQueue queue) {
    if (!queue.mute().isMuted()) {
      window.leaveOut(queue.partition(), queue.unacknowledged());
      queue.mute().mute();
      shareQueue();
    }
  }

  private void retryLater(UnacknowledgedBatch batch, long nowNanos) {
    PartitionQueue queue = queues.of(batch);
    queue.mute().pause(nowNanos);
    if (batch.isAlone()) {
      queue.rewind();
    }
  }

  /**
   * Half of the queue is for partitions that are muted, a share for each; the rest for the rest.
   */
  private void shareQueue() {
    int muted = queues.muted();
    for (int i = 0; i < queues.count(); i++) {
      if (queues.of(i).mute().isMuted()) {
        queues.of(i).limitUnacknowledged(Math.max(1, queueCapacity / 2 / muted));
      }
    }
  }
}
