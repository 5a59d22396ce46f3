package io.weir.internal.sink;

import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** Another process has acquired partitions; nothing was written. */
final class FencedPartitionsException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Set<TopicPartition> partitions;

  FencedPartitionsException(Set<TopicPartition> partitions) {
    super("acquired by another process: " + partitions, null, false, false);
    this.partitions = Set.copyOf(partitions);
  }

  Set<TopicPartition> partitions() {
    return partitions;
  }
}
