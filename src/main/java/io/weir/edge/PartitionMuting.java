package io.weir.edge;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Mutes partitions that stall while others advance, so that they do not delay the others: the
 * brokers reject their next batch as too large, or do not respond because the partition has no
 * leader. A muted partition's bytes do not count in the send window, it uses at most a share of the
 * queue, and it sends one batch at a time. If that batch fails, nothing of the partition has
 * overtaken it, so the producer and all other partitions continue.
 *
 * <p>The topic's limit applies to compressed bytes and is unknown here. While a partition is muted,
 * batches at least half as large as the smallest rejected one are also sent alone: if batches of
 * all partitions exceed the limit, this costs a few producers, not one per partition. Sender thread
 * only.
 */
final class PartitionMuting {
  /**
   * A partition without a response for this time is muted if a later batch of another was
   * acknowledged.
   */
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

  /** Batches of at least this size are sent alone within their partition. */
  int aloneFromBytes() {
    return aloneFromBytes;
  }

  /** The batch is too large: it and all batches behind it wait for a growing pause. */
  void refused(UnacknowledgedBatch batch, BatchRefusedException refusal, long nowNanos) {
    mute(queues.of(batch));
    aloneFromBytes = Math.min(aloneFromBytes, batch.bytes() / 2);
    retryLater(batch, nowNanos);
    log.failed(
        "partition %d waits because its next batch of %d bytes is rejected; the others continue"
            .formatted(batch.partition(), batch.bytes()),
        refusal.getCause(),
        nowNanos);
  }

  /** Whether the failure concerns only a partition that is already muted. */
  boolean concernsItsPartitionAlone(UnacknowledgedBatch batch, Exception failure) {
    return failure instanceof RetriableException && queues.of(batch).mute().isMuted();
  }

  /** The batch of a muted partition was not delivered in time. */
  void notDelivered(UnacknowledgedBatch batch, Exception failure, long nowNanos) {
    retryLater(batch, nowNanos);
    log.failed(
        "partition %d cannot be written; the others continue".formatted(batch.partition()),
        failure,
        nowNanos);
  }

  /** The batch was acknowledged and has left its queue: its partition continues. */
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

  /** Mutes the partitions without responses while others have responses. */
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

  /** Divides half of the queue among the muted partitions; the other half is for the others. */
  private void shareQueue() {
    int muted = queues.muted();
    for (int i = 0; i < queues.count(); i++) {
      if (queues.of(i).mute().isMuted()) {
        queues.of(i).limitUnacknowledged(Math.max(1, queueCapacity / 2 / muted));
      }
    }
  }
}
