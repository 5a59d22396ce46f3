package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;

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

  /**
   * Asks the brokers; nothing of any group. A partition whose leader does not answer is left out.
   *
   * @throws org.apache.kafka.common.KafkaException if no leader answers
   */
  static Offsets look(Admin admin, Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> first =
        list(admin, partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    Map<TopicPartition, Long> stable =
        list(admin, first.keySet(), OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> end =
        list(admin, stable.keySet(), OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    first.keySet().retainAll(end.keySet());
    stable.keySet().retainAll(end.keySet());
    return new Offsets(first, stable, end, Map.of());
  }

  /** The same with what a group has committed. */
  Offsets readBy(Admin admin, String group) {
    return new Offsets(first, stable, end, committed(admin, group));
  }

  /** Those of some partitions; what is committed stays. */
  Offsets only(Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> someFirst = new HashMap<>(first);
    Map<TopicPartition, Long> someStable = new HashMap<>(stable);
    Map<TopicPartition, Long> someEnd = new HashMap<>(end);
    someFirst.keySet().retainAll(partitions);
    someStable.keySet().retainAll(partitions);
    someEnd.keySet().retainAll(partitions);
    return new Offsets(someFirst, someStable, someEnd, committed);
  }

  private static Map<TopicPartition, Long> list(
      Admin admin, Set<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    list(admin, partitions, spec, isolation, (p, found) -> offsets.put(p, found.offset()));
    return offsets;
  }

  /** Asks for each partition; those whose leader does not answer are left out. */
  static void list(
      Admin admin,
      Set<TopicPartition> partitions,
      OffsetSpec spec,
      IsolationLevel isolation,
      BiConsumer<TopicPartition, ListOffsetsResultInfo> take) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, spec));
    ListOffsetsResult result = admin.listOffsets(asked, new ListOffsetsOptions(isolation));
    RetriableException silent = null;
    int answers = 0;
    for (TopicPartition partition : partitions) {
      try {
        take.accept(partition, KafkaFutures.await(result.partitionResult(partition)));
        answers++;
      } catch (RetriableException e) {
        silent = e;
      }
    }
    if (answers == 0 && silent != null) {
      throw silent;
    }
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
    } catch (GroupIdNotFoundException e) {
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
        .sorted(Comparator.comparingInt(TopicPartition::partition))
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
