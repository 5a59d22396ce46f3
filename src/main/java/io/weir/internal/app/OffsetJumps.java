package io.weir.internal.app;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions in which the next record of a consumer was deleted: it continues at the first existing
 * record, and the tasks must know. Safe for many threads.
 */
final class OffsetJumps {
  /** The last offset that a consumer looked for and did not find. */
  private final Map<TopicPartition, Long> partitions = new ConcurrentHashMap<>();

  /**
   * Registers a jump; records that were fetched before may still arrive.
   *
   * @param offset does not exist: all records that were fetched before are in front of it
   */
  void jumped(TopicPartition partition, long offset) {
    partitions.put(partition, offset);
  }

  /** Whether a jump was not handled yet. */
  boolean any() {
    return !partitions.isEmpty();
  }

  boolean has(TopicPartition partition) {
    return partitions.containsKey(partition);
  }

  /** A record has arrived; it may be the first one after the deleted ones. */
  void seen(TopicPartition partition, long offset) {
    partitions.computeIfPresent(partition, (same, at) -> offset > at ? null : at);
  }

  /** Nothing before the next record matters. */
  void forget(TopicPartition partition) {
    partitions.remove(partition);
  }
}
