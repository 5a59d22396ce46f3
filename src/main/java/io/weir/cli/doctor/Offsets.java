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
 * The offsets of partitions at one time.
 *
 * @param first log start offset
 * @param stable last stable offset
 * @param end high watermark
 * @param committed committed offset of a group, for partitions that have one
 */
record Offsets(
    Map<TopicPartition, Long> first,
    Map<TopicPartition, Long> stable,
    Map<TopicPartition, Long> end,
    Map<TopicPartition, Long> committed) {

  /**
   * Reads the offsets, without a group. Omits a partition whose leader does not answer.
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

  /** The same with the committed offsets of a group. */
  Offsets readBy(Admin admin, String group) {
    return new Offsets(first, stable, end, committed(admin, group));
  }

  /** Only some partitions; keeps all committed offsets. */
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

  /** Reads the offset of each partition; omits those whose leader does not answer. */
  static void list(
      Admin admin,
      Set<TopicPartition> partitions,
      OffsetSpec spec,
      IsolationLevel isolation,
      BiConsumer<TopicPartition, ListOffsetsResultInfo> found) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, spec));
    ListOffsetsResult result = admin.listOffsets(asked, new ListOffsetsOptions(isolation));
    RetriableException silent = null;
    int answers = 0;
    for (TopicPartition partition : partitions) {
      try {
        found.accept(partition, KafkaFutures.await(result.partitionResult(partition)));
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

  /** The partitions of a topic. */
  List<TopicPartition> of(String topic) {
    return end.keySet().stream()
        .filter(partition -> partition.topic().equals(topic))
        .sorted(Comparator.comparingInt(TopicPartition::partition))
        .toList();
  }

  /** The first five and the number of the others, for messages. */
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
