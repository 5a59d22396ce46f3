package io.weir.internal.sink;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The ownership of a partition, until another process acquires it.
 *
 * @param topicId id of the topic at that time
 * @param generation number of the topic among those with its name, from 1
 * @param epoch number of acquisitions of the partition
 * @param nextOffset the next offset to write
 */
record PartitionOwnership(
    TopicPartition partition, Uuid topicId, int generation, long epoch, long nextOffset) {}
