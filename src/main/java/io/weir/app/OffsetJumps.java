package io.weir.app;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions in which a consumer of this process found that the record which comes next is not
 * there: reading goes on from the first that is, and the tasks have to know. Safe for many threads.
 */
final class OffsetJumps {
  private final Set<TopicPartition> partitions = ConcurrentHashMap.newKeySet();
  private volatile boolean any;

  /** Reading goes on elsewhere; records that were fetched before may still come. */
  void jumped(TopicPartition partition) {
    partitions.add(partition);
    any = true;
  }

  /** Whether there was any jump that was not seen. */
  boolean any() {
    return any;
  }

  boolean has(TopicPartition partition) {
    return partitions.contains(partition);
  }

  /** The first record behind what was deleted has come. */
  void seen(TopicPartition partition) {
    partitions.remove(partition);
    any = !partitions.isEmpty();
  }
}
