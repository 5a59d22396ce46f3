package io.weir.internal.app;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions in which the next record of a consumer was deleted: it continues at the first existing
 * record, and the tasks must know. Safe for many threads.
 */
final class OffsetJumps {
  private final Set<TopicPartition> partitions = ConcurrentHashMap.newKeySet();
  private volatile boolean any;

  /** Registers a jump; records that were fetched before may still arrive. */
  void jumped(TopicPartition partition) {
    partitions.add(partition);
    any = true;
  }

  /** Whether a jump was not handled yet. */
  boolean any() {
    return any;
  }

  boolean has(TopicPartition partition) {
    return partitions.contains(partition);
  }

  /** The first record after the deleted ones has arrived. */
  void seen(TopicPartition partition) {
    partitions.remove(partition);
    any = !partitions.isEmpty();
  }
}
