package io.weir.internal.app;

import io.weir.internal.deadletter.Life;
import io.weir.topic.KafkaFutures;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Which {@link Life} runs in each partition, according to the application's committed offsets. */
public final class RunningLives {
  private RunningLives() {}

  /** The lives by partition; without those in which nothing was committed yet. */
  public static Map<Integer, Life> of(Admin admin, String applicationId, String topic) {
    Map<Integer, Life> lives = new TreeMap<>();
    try {
      KafkaFutures.await(
              admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata())
          .forEach(
              (partition, offset) ->
                  life(partition, offset, topic)
                      .ifPresent(life -> lives.put(partition.partition(), life)));
    } catch (GroupIdNotFoundException e) {
      return Map.of();
    }
    return lives;
  }

  private static Optional<Life> life(
      TopicPartition partition, OffsetAndMetadata offset, String topic) {
    return partition.topic().equals(topic) ? CommitMarks.life(offset) : Optional.empty();
  }
}
