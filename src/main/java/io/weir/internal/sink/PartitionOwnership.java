package io.weir.internal.sink;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The ownership of a partition, until another process acquires it.
 *
 * @param topicId id of the topic at that time
 * @param generation number of the topic among those with its name, from 1
 * @param epoch number of acquisitions of the partition
 * @param position the next offset to write, with the leader epoch of the record in front of it, if
 *     known
 */
record PartitionOwnership(
    TopicPartition partition,
    Uuid topicId,
    int generation,
    long epoch,
    OffsetAndMetadata position) {
  /** The next offset to write. */
  long nextOffset() {
    return position.offset();
  }
}
