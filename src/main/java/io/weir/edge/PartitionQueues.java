package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;

/**
 * The queues of all partitions.
 *
 * @param <Q> the type of the queues
 */
final class PartitionQueues<Q extends PartitionQueue> {
  private final List<Q> queues = new ArrayList<>(SensorPartition.COUNT);

  PartitionQueues(IntFunction<Q> newQueue) {
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      queues.add(newQueue.apply(partition));
    }
  }

  Q of(int partition) {
    return queues.get(partition);
  }

  /** The queue of the batch's partition. */
  Q of(UnacknowledgedBatch batch) {
    return of(batch.partition());
  }

  int count() {
    return queues.size();
  }

  /** Rejects further readings; accepted ones are due immediately. */
  void close() {
    for (PartitionQueue queue : queues) {
      queue.close();
    }
  }

  void flush(FlushTicket ticket) {
    for (PartitionQueue queue : queues) {
      queue.flush(ticket);
    }
  }

  /**
   * Releases the batch's queue capacity, once: its readings are acknowledged, on disk or dropped.
   */
  void release(UnacknowledgedBatch batch, QueueLimit limit) {
    if (batch.leaveQueue()) {
      limit.release(batch.cost());
      of(batch).releaseReadings(batch.accepted());
    }
  }

  void rewind() {
    for (PartitionQueue queue : queues) {
      queue.rewind();
    }
  }

  void abandonFlushes() {
    for (PartitionQueue queue : queues) {
      queue.abandonFlushes();
    }
  }

  boolean areDone() {
    for (PartitionQueue queue : queues) {
      if (!queue.isDone()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Nanoseconds until a batch is due; {@link Long#MAX_VALUE} for none.
   *
   * @param all whether to include batches that may not be sequenced yet
   */
  long dueInNanos(long nowNanos, boolean all) {
    long soonest = Long.MAX_VALUE;
    for (PartitionQueue queue : queues) {
      if (all || queue.hasRoom()) {
        long dueIn = queue.dueInNanos(nowNanos);
        if (dueIn < Long.MAX_VALUE) {
          soonest = Math.min(soonest, Math.max(dueIn, queue.encoding().remainingNanos(nowNanos)));
        }
      }
    }
    return soonest;
  }

  /** Time since the oldest batch in flight was sent; 0 if none is in flight. */
  long unansweredNanos(long nowNanos) {
    long longest = 0;
    for (PartitionQueue queue : queues) {
      longest = Math.max(longest, queue.unansweredNanos(nowNanos));
    }
    return longest;
  }

  /** Whether the flush interval of an open batch has ended. */
  boolean isTickDue(long nowNanos) {
    for (PartitionQueue queue : queues) {
      if (queue.isTickDue(nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Nanoseconds until a muted partition may be retried; {@link Long#MAX_VALUE} for none. */
  long retryInNanos(long nowNanos) {
    long soonest = Long.MAX_VALUE;
    for (PartitionQueue queue : queues) {
      soonest = Math.min(soonest, queue.mute().retryInNanos(nowNanos));
    }
    return soonest;
  }

  /** Number of muted partitions. Thread-safe. */
  int muted() {
    int muted = 0;
    for (PartitionQueue queue : queues) {
      muted += queue.mute().isMuted() ? 1 : 0;
    }
    return muted;
  }

  /** Number of readings accepted so far. */
  long accepted() {
    return sum(PartitionQueue::accepted);
  }

  /**
   * Accepted readings that were older than an earlier reading of their sensor; 0 if not ordered.
   */
  long outOfOrder() {
    return sum(PartitionQueue::outOfOrder);
  }

  /** Number of attestations accepted so far. */
  long attested() {
    return sum(PartitionQueue::attested);
  }

  /** Number of accepted attestations that are never sent. */
  long withheld() {
    return sum(PartitionQueue::withheld);
  }

  /** The queue with the oldest reading that is not in flight. */
  PartitionQueue withOldest(long nowNanos) {
    PartitionQueue oldest = queues.get(0);
    long longest = -1;
    for (PartitionQueue queue : queues) {
      long ageNanos = queue.droppableNanos(nowNanos);
      if (ageNanos > longest) {
        oldest = queue;
        longest = ageNanos;
      }
    }
    return oldest;
  }

  List<Long> lastSequences() {
    List<Long> lastSequences = new ArrayList<>();
    for (PartitionQueue queue : queues) {
      lastSequences.add(queue.lastSequence());
    }
    return lastSequences;
  }

  /** The sequenced, unacknowledged batches, in sending order within each partition. */
  List<UnacknowledgedBatch> unacknowledged() {
    List<UnacknowledgedBatch> batches = new ArrayList<>();
    for (PartitionQueue queue : queues) {
      batches.addAll(queue.unacknowledged().all());
    }
    return batches;
  }

  private long sum(ToLongFunction<PartitionQueue> value) {
    long sum = 0;
    for (PartitionQueue queue : queues) {
      sum += value.applyAsLong(queue);
    }
    return sum;
  }
}
