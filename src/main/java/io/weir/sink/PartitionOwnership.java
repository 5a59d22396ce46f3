package io.weir.sink;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * That a partition was taken over, and nobody has since.
 *
 * @param topicId of the topic as it was then
 * @param generation which topic of that name it is, from 1
 * @param epoch how often the partition was taken over
 * @param nextOffset where it goes on
 */
record PartitionOwnership(
    TopicPartition partition, Uuid topicId, int generation, long epoch, long nextOffset) {}
