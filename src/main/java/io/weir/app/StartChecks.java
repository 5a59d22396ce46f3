package io.weir.app;

import io.weir.store.PartitionState;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import io.weir.topology.InputLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be true of a cluster before anything is read from it. */
final class StartChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

  private final Admin admin;
  private final WeirConfig config;

  StartChecks(Admin admin, WeirConfig config) {
    this.admin = admin;
    this.config = config;
  }

  /** Topics as they must be; what merely differs is warned of. */
  void topics(TopicAdmin topics) {
    List<TopicDifference> differences = new ArrayList<>(topics.verify());
    differences.addAll(topics.verifyChangelog(changelog(config)));
    for (TopicDifference difference : differences) {
      if (difference.isFatal()) {
        throw new StartRefusedException(difference.toString());
      }
      LOG.warn("{}", difference);
    }
  }

  /**
   * Whoever has read has written to the changelog in the same transaction ({@link PartitionState}):
   * committed offsets without it mean that the state was lost.
   */
  void stateIsThere() {
    String changelog = changelog(config);
    boolean exists = KafkaFutures.await(admin.listTopics().names()).contains(changelog);
    Map<TopicPartition, OffsetAndMetadata> committed =
        committed(new ListConsumerGroupOffsetsOptions());
    Set<Integer> empty = exists ? emptyPartitions(changelog) : allPartitions();
    offsetsFitTheReadings(committed);
    Set<Integer> unread = allPartitions();
    unread.removeAll(empty);
    committed.keySet().forEach(partition -> unread.remove(partition.partition()));
    stateHasItsOffsets(changelog, unread);
    committed.forEach(
        (partition, offset) -> {
          if (partition.topic().equals(config.topics().readings())
              && offset.offset() > 0
              && empty.contains(partition.partition())) {
            throw new StartRefusedException(stateLost(partition, offset.offset(), changelog));
          }
        });
  }

  /**
   * The operators' orders as they are now, read once: without the right to, a forged mark would end
   * the process.
   */
  BrokerControlLog control(TopicAdmin topics) {
    String control = config.topics().control();
    return BrokerControlLog.open(config, topics.id(control).orElse(Uuid.ZERO_UUID));
  }

  /** The topic of readings as it is now: restored states are held against it. */
  InputLog input() {
    String readings = config.topics().readings();
    Uuid id =
        KafkaFutures.await(admin.describeTopics(List.of(readings)).allTopicNames())
            .get(readings)
            .topicId();
    return new BrokerInputLog(readings, id, changelog(config), config);
  }

  /** Offsets beyond the end are those of another topic of that name. */
  private void offsetsFitTheReadings(Map<TopicPartition, OffsetAndMetadata> committed) {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    committed.keySet().stream()
        .filter(partition -> partition.topic().equals(config.topics().readings()))
        .forEach(partition -> latest.put(partition, OffsetSpec.latest()));
    if (latest.isEmpty()) {
      return;
    }
    KafkaFutures.await(admin.listOffsets(latest).all())
        .forEach(
            (partition, end) -> {
              long offset = committed.get(partition).offset();
              if (offset > end.offset()) {
                throw new StartRefusedException(
                    "topic "
                        + partition.topic()
                        + " was created anew, or lost records: "
                        + config.applicationId()
                        + " has read its partition "
                        + partition.partition()
                        + " up to offset "
                        + offset
                        + ", and it ends at "
                        + end.offset()
                        + "; bring the topic back, or start with a new weir.application.id");
              }
            });
  }

  /**
   * State and offsets are committed together; the offsets alone vanish with their topic, or when
   * they expire. What an aborted transaction wrote to the changelog is no state.
   *
   * @param partitions of which nothing is committed, and something is in the changelog
   */
  private void stateHasItsOffsets(String changelog, Set<Integer> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    Map<String, Object> settings = config.kafka().forConsumer();
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> parts =
          partitions.stream().map(partition -> new TopicPartition(changelog, partition)).toList();
      Set<Integer> withOffsets = new HashSet<>();
      reader.assign(parts);
      Map<TopicPartition, Long> ends = reader.endOffsets(parts);
      reader.seekToBeginning(parts);
      while (parts.stream().anyMatch(part -> reader.position(part) < ends.get(part))) {
        for (ConsumerRecord<byte[], byte[]> entry : reader.poll(Duration.ofMillis(200))) {
          if (withOffsets.contains(entry.partition()) || isCommittedMeanwhile(entry.partition())) {
            withOffsets.add(entry.partition());
            continue;
          }
          throw new StartRefusedException(
              "state without its offsets: the changelog "
                  + changelog
                  + " has entries of partition "
                  + entry.partition()
                  + ", but "
                  + config.applicationId()
                  + " has no committed offset there: "
                  + config.topics().readings()
                  + " was deleted and created anew, or the offsets expired; start with a new"
                  + " weir.application.id, or reset it");
        }
      }
    }
  }

  /**
   * Whether another member has made the first commit since offsets were looked up; waits for one
   * whose offsets are still pending, as the changelog may have been told of it first.
   */
  private boolean isCommittedMeanwhile(int partition) {
    return committed(new ListConsumerGroupOffsetsOptions().requireStable(true))
        .containsKey(new TopicPartition(config.topics().readings(), partition));
  }

  /** The topic that holds the application's state. */
  static String changelog(WeirConfig config) {
    return Acl.changelog(config.applicationId());
  }

  private String stateLost(TopicPartition partition, long offset, String changelog) {
    return "state was lost: "
        + config.applicationId()
        + " has read "
        + partition.topic()
        + " partition "
        + partition.partition()
        + " up to offset "
        + offset
        + ", but its part of the changelog "
        + changelog
        + " is missing or empty; bring the changelog back, or start with a new"
        + " weir.application.id, which reads from the beginning";
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(
      ListConsumerGroupOffsetsOptions options) {
    try {
      Map<TopicPartition, OffsetAndMetadata> offsets =
          KafkaFutures.await(
              admin
                  .listConsumerGroupOffsets(config.applicationId(), options)
                  .partitionsToOffsetAndMetadata());
      offsets.values().removeIf(offset -> offset == null);
      return offsets;
    } catch (GroupIdNotFoundException e) {
      return Map.of();
    }
  }

  private Set<Integer> emptyPartitions(String changelog) {
    Set<Integer> all = allPartitions();
    Map<TopicPartition, OffsetSpec> earliest = new HashMap<>();
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int partition : all) {
      earliest.put(new TopicPartition(changelog, partition), OffsetSpec.earliest());
      latest.put(new TopicPartition(changelog, partition), OffsetSpec.latest());
    }
    Map<TopicPartition, ListOffsetsResultInfo> from =
        KafkaFutures.await(admin.listOffsets(earliest).all());
    Map<TopicPartition, ListOffsetsResultInfo> to =
        KafkaFutures.await(admin.listOffsets(latest).all());
    all.removeIf(
        partition -> {
          TopicPartition p = new TopicPartition(changelog, partition);
          return to.get(p).offset() > from.get(p).offset();
        });
    return all;
  }

  private static Set<Integer> allPartitions() {
    return IntStream.range(0, SensorPartition.COUNT).boxed().collect(Collectors.toSet());
  }
}
