package io.weir.internal.app;

import io.weir.internal.deadletter.RunningLife;
import io.weir.topic.KafkaFutures;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** The {@link RunningLife} of each partition, by the application's committed offsets. */
public final class RunningLives {
  private RunningLives() {}

  /** Whether an application runs, in any process. */
  public static boolean hasMembers(Admin admin, String applicationId) {
    try {
      return !KafkaFutures.await(admin.describeConsumerGroups(List.of(applicationId)).all())
          .get(applicationId)
          .members()
          .isEmpty();
    } catch (GroupIdNotFoundException e) {
      return false;
    }
  }

  /** The lives by partition; without those in which nothing was committed yet. */
  public static Map<Integer, RunningLife> of(Admin admin, String applicationId, String topic) {
    Map<Integer, RunningLife> lives = new TreeMap<>();
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

  private static Optional<RunningLife> life(
      TopicPartition partition, OffsetAndMetadata offset, String topic) {
    return partition.topic().equals(topic) ? CommitMarks.life(offset) : Optional.empty();
  }
}
