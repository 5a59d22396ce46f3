package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;

/**
 * The queues of all partitions.
 *
 * @param <Q> what they take
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

  /** Takes no more readings; what was taken is due at once. */
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

  /** Its readings make room for others, once: they are acknowledged, on disk, or given up. */
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
   * @param all whether those count that have no room to go
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

  /** For how long the batch that waits longest has had no answer; 0 where none is in flight. */
  long unansweredNanos(long nowNanos) {
    long longest = 0;
    for (PartitionQueue queue : queues) {
      longest = Math.max(longest, queue.unansweredNanos(nowNanos));
    }
    return longest;
  }

  /** Whether an open batch has waited for its time. */
  boolean isTickDue(long nowNanos) {
    for (PartitionQueue queue : queues) {
      if (queue.isTickDue(nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Nanoseconds until a muted partition may be tried again; {@link Long#MAX_VALUE} for none. */
  long retryInNanos(long nowNanos) {
    long soonest = Long.MAX_VALUE;
    for (PartitionQueue queue : queues) {
      soonest = Math.min(soonest, queue.mute().retryInNanos(nowNanos));
    }
    return soonest;
  }

  /** How many are muted. For any thread. */
  int muted() {
    int muted = 0;
    for (PartitionQueue queue : queues) {
      muted += queue.mute().isMuted() ? 1 : 0;
    }
    return muted;
  }

  /** Readings ever accepted. */
  long accepted() {
    return sum(PartitionQueue::accepted);
  }

  /** Readings accepted that were older than one of their sensor before; 0 if not ordered. */
  long outOfOrder() {
    return sum(PartitionQueue::outOfOrder);
  }

  /** Attestations ever accepted. */
  long attested() {
    return sum(PartitionQueue::attested);
  }

  /** Attestations that were accepted and are never sent. */
  long withheld() {
    return sum(PartitionQueue::withheld);
  }

  /** Of which the oldest reading was taken first that is not in flight. */
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

  /** Sequenced and not acknowledged; in each partition in the order in which they go out. */
  List<UnacknowledgedBatch> unacknowledged() {
    List<UnacknowledgedBatch> batches = new ArrayList<>();
    for (PartitionQueue queue : queues) {
      batches.addAll(queue.unacknowledged().all());
    }
    return batches;
  }

  private long sum(ToLongFunction<PartitionQueue> of) {
    long sum = 0;
    for (PartitionQueue queue : queues) {
      sum += of.applyAsLong(queue);
    }
    return sum;
  }
}
