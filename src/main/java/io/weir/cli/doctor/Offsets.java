package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Where partitions begin and end, and how far they were read, at one moment.
 *
 * @param first of the records that are still there
 * @param stable up to where readers of committed records come
 * @param end behind the last record
 * @param committed by a group; without those of which nothing is
 */
record Offsets(
    Map<TopicPartition, Long> first,
    Map<TopicPartition, Long> stable,
    Map<TopicPartition, Long> end,
    Map<TopicPartition, Long> committed) {

  /** Asks the brokers; nothing of any group. */
  static Offsets look(Admin admin, Iterable<TopicPartition> partitions) {
    return new Offsets(
        list(admin, partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED),
        list(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED),
        list(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED),
        Map.of());
  }

  /** The same with what a group has committed; nothing where this user may not look at it. */
  Offsets readBy(Admin admin, String group) {
    return new Offsets(first, stable, end, committed(admin, group));
  }

  private static Map<TopicPartition, Long> list(
      Admin admin, Iterable<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, spec));
    return KafkaFutures.await(admin.listOffsets(asked, new ListOffsetsOptions(isolation)).all())
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
  }

  private static Map<TopicPartition, Long> committed(Admin admin, String group) {
    try {
      Map<TopicPartition, OffsetAndMetadata> found =
          KafkaFutures.await(
              admin
                  .listConsumerGroupOffsets(group, new ListConsumerGroupOffsetsOptions())
                  .partitionsToOffsetAndMetadata());
      Map<TopicPartition, Long> committed = new HashMap<>();
      found.forEach(
          (partition, offset) -> {
            if (offset != null) {
              committed.put(partition, offset.offset());
            }
          });
      return committed;
    } catch (GroupIdNotFoundException | GroupAuthorizationException e) {
      return Map.of();
    }
  }

  /** Records of a partition that the group has not committed. */
  long lag(TopicPartition partition) {
    long from = committed.getOrDefault(partition, first.getOrDefault(partition, 0L));
    return Math.max(0, end.getOrDefault(partition, 0L) - Math.max(from, first.get(partition)));
  }

  /** Those of a topic. */
  List<TopicPartition> of(String topic) {
    return end.keySet().stream()
        .filter(partition -> partition.topic().equals(topic))
        .sorted(java.util.Comparator.comparingInt(TopicPartition::partition))
        .toList();
  }

  /** The first few of many, for messages. */
  static <T> String list(Iterable<T> things, Function<T, String> text) {
    StringBuilder said = new StringBuilder();
    int count = 0;
    for (T thing : things) {
      count++;
      if (count <= 5) {
        said.append(count == 1 ? "" : ", ").append(text.apply(thing));
      }
    }
    return count <= 5 ? said.toString() : said + " and " + (count - 5) + " more";
  }
}
