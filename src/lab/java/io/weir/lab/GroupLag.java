package io.weir.lab;

import io.weir.topic.SensorPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;

/** How far a consumer group is behind the end of a topic, as the cluster knows it. */
public final class GroupLag {
  private final Admin admin;
  private final String group;
  private final Map<TopicPartition, OffsetSpec> ends;

  /**
   * @param admin stays the caller's to close
   * @param topic with Weir's number of partitions
   */
  public GroupLag(Admin admin, String group, String topic) {
    this.admin = admin;
    this.group = group;
    this.ends =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
  }

  /**
   * Records that the group has not committed yet. Asks the cluster twice.
   *
   * @throws KafkaException where there is no answer
   */
  public long records() {
    // In this order: what is committed after the ends were asked for must not hide what came.
    return recordsBefore(ends());
  }

  /**
   * Where the topic ends now, by partition.
   *
   * @throws KafkaException where there is no answer
   */
  public Map<TopicPartition, Long> ends() {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    answer(() -> admin.listOffsets(ends).all().get())
        .forEach((partition, end) -> offsets.put(partition, end.offset()));
    return offsets;
  }

  /**
   * Records before these offsets that the group has not committed yet. Unlike {@link #records} it
   * comes to zero beside writers that never stop.
   *
   * @throws KafkaException where there is no answer
   */
  public long recordsBefore(Map<TopicPartition, Long> ends) {
    Map<TopicPartition, OffsetAndMetadata> committed = answer(this::committed);
    return ends.entrySet().stream()
        .mapToLong(
            end -> {
              OffsetAndMetadata done = committed.get(end.getKey());
              return Math.max(0, end.getValue() - (done == null ? 0 : done.offset()));
            })
        .sum();
  }

  private interface Question<T> {
    T ask() throws InterruptedException, ExecutionException;
  }

  private static <T> T answer(Question<T> question) {
    try {
      return question.ask();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause());
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> committed()
      throws InterruptedException, ExecutionException {
    try {
      return new HashMap<>(
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return Map.of();
      }
      throw e;
    }
  }
}
