package io.weir.internal.app;

import io.weir.internal.deadletter.Life;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.store.KeptPosition;
import io.weir.internal.topology.InputLog;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks of the cluster before an application starts. */
final class StartChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

  private final Admin admin;
  private final WeirConfig config;
  private final StreamsPlan plan;

  StartChecks(Admin admin, WeirConfig config, StreamsPlan plan) {
    this.admin = admin;
    this.config = config;
    this.plan = plan;
  }

  /** Checks the topics; logs differences that are not fatal. */
  void topics(TopicAdmin topics) {
    List<TopicDifference> differences = new ArrayList<>(topics.verify());
    for (String changelog : plan.changelogs()) {
      differences.addAll(topics.verifyChangelog(changelog));
    }
    for (TopicDifference difference : differences) {
      if (difference.isFatal()) {
        throw new StartRefusedException(difference.toString());
      }
      if (!difference.isNote()) {
        LOG.warn("{}", difference);
      }
    }
  }

  /**
   * Offsets are committed in one transaction with changelog records ({@link
   * io.weir.internal.store.InputPosition}): committed offsets without a changelog mean that the
   * state was lost. This check fails only if all of it was lost: for single partitions their tasks
   * detect it, and the others continue.
   */
  void statesAreThere() {
    Set<String> topics = KafkaFutures.await(admin.listTopics().names());
    for (StreamsInput input : plan.inputs()) {
      stateIsThere(input, topics.contains(input.changelog(plan.applicationId())));
    }
  }

  private void stateIsThere(StreamsInput input, boolean exists) {
    String changelog = input.changelog(plan.applicationId());
    Map<TopicPartition, OffsetAndMetadata> committed =
        committed(input, new ListConsumerGroupOffsetsOptions());
    Set<Integer> empty = exists ? emptyPartitions(changelog) : allPartitions();
    offsetsFitTheInput(committed);
    if (committed.isEmpty()) {
      Set<Integer> unread = allPartitions();
      unread.removeAll(empty);
      statesAreOfTheTopic(input, unread);
    }
    committed
        .values()
        .removeIf(
            offset ->
                offset.offset() == 0
                    || CommitMarks.committed(offset)
                        .filter(CommitMarks.Committed::isStart)
                        .isPresent());
    if (!committed.isEmpty()
        && committed.keySet().stream().allMatch(part -> empty.contains(part.partition()))
        && !isAccepted(input)) {
      TopicPartition first = committed.keySet().iterator().next();
      throw new StartRefusedException(stateLost(first, committed.get(first).offset(), changelog));
    }
  }

  /** Whether the loss of a whole state was accepted; partitions of others are halted. */
  private boolean isAccepted(StreamsInput input) {
    return AcceptedLosses.of(config).of(plan.applicationId(), topicId(input)).stream()
        .anyMatch(loss -> loss.getStateEnd() == 0 && loss.getLife() == Life.NONE.id());
  }

  /**
   * Commits the ends of the inputs that the application has never read. This happens before its
   * first member joins: with Kafka's own reset a member that ends before its first commit would
   * skip what comes until the next start.
   */
  void startAtEnd() {
    for (StreamsInput input : plan.inputs()) {
      if (committed(input, new ListConsumerGroupOffsetsOptions()).isEmpty()
          && emptyPartitions(input.changelog(plan.applicationId())).equals(allPartitions())) {
        startAtEnd(input);
      }
    }
  }

  private void startAtEnd(StreamsInput input) {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    allPartitions()
        .forEach(
            partition ->
                latest.put(new TopicPartition(input.topic(), partition), OffsetSpec.latest()));
    Map<TopicPartition, OffsetAndMetadata> starts = new HashMap<>();
    KafkaFutures.await(
            admin.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all())
        .forEach((partition, end) -> starts.put(partition, CommitMarks.start(end.offset())));
    try {
      KafkaFutures.await(admin.alterConsumerGroupOffsets(plan.applicationId(), starts).all());
      LOG.info("{} is new and starts at the end of {}", plan.applicationId(), input.topic());
    } catch (UnknownMemberIdException | GroupNotEmptyException e) {
      LOG.info("{} already has members; they have set the start position", plan.applicationId(), e);
    }
  }

  /**
   * The current input topic, for the comparison with restored states.
   *
   * @param jumps partitions in which consumers may have skipped deleted records
   * @param marks committed offsets with marks
   * @param halts receives partitions whose state was lost
   */
  InputLog input(StreamsInput input, OffsetJumps jumps, CommitMarks marks, HaltedPartitions halts) {
    return new BrokerInputLog(input, topicId(input), plan, config, jumps, marks, halts);
  }

  private Uuid topicId(StreamsInput input) {
    return KafkaFutures.await(admin.describeTopics(List.of(input.topic())).allTopicNames())
        .get(input.topic())
        .topicId();
  }

  /** Offsets beyond the end belong to an earlier topic of that name. */
  private void offsetsFitTheInput(Map<TopicPartition, OffsetAndMetadata> committed) {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    committed.keySet().forEach(partition -> latest.put(partition, OffsetSpec.latest()));
    if (latest.isEmpty()) {
      return;
    }
    Map<TopicPartition, ListOffsetsResultInfo> ends =
        KafkaFutures.await(admin.listOffsets(latest).all());
    if (ends.entrySet().stream()
        .anyMatch(end -> committed.get(end.getKey()).offset() <= end.getValue().offset())) {
      return;
    }
    TopicPartition first = ends.keySet().iterator().next();
    throw new StartRefusedException(
        "topic "
            + first.topic()
            + " was recreated, or lost records: "
            + plan.applicationId()
            + " has read its partition "
            + first.partition()
            + " up to offset "
            + committed.get(first).offset()
            + ", and it ends at "
            + ends.get(first).offset()
            + "; restore the topic, or start with a new "
            + plan.idSetting());
  }

  /**
   * State and offsets are committed together; offsets alone disappear with their topic, or when
   * they expire. After an expiry each task continues at the end of its state. Aborted changelog
   * records are not state.
   *
   * @param partitions partitions without a committed offset and with changelog records
   */
  private void statesAreOfTheTopic(StreamsInput input, Set<Integer> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    Uuid topicId = topicId(input);
    states(input, partitions)
        .forEach(
            (partition, state) -> {
              if (!state.topicId().equals(topicId) && !isCommittedMeanwhile(input, partition)) {
                throw new StartRefusedException(
                    "state without its offsets: the changelog "
                        + input.changelog(plan.applicationId())
                        + " has entries of partition "
                        + partition
                        + ", but "
                        + plan.applicationId()
                        + " has no committed offset there: "
                        + input.topic()
                        + " was deleted and recreated; start with a new "
                        + plan.idSetting()
                        + ", or reset it");
              }
            });
  }

  /** The position of each partition's state; empty without committed changelog records. */
  private Map<Integer, KeptPosition> states(StreamsInput input, Set<Integer> partitions) {
    String changelog = input.changelog(plan.applicationId());
    Map<String, Object> settings = config.kafka().forReader("earliest");
    Map<Integer, KeptPosition> states = new TreeMap<>();
    try (KafkaConsumer<byte[], byte[]> reader =
        BoundedConsumer.open(settings, config.maxDecompressedRecordBytes())) {
      List<TopicPartition> parts =
          partitions.stream().map(partition -> new TopicPartition(changelog, partition)).toList();
      reader.assign(parts);
      Map<TopicPartition, Long> ends = reader.endOffsets(parts);
      reader.seekToBeginning(parts);
      while (parts.stream().anyMatch(part -> reader.position(part) < ends.get(part))) {
        for (ConsumerRecord<byte[], byte[]> entry : reader.poll(Duration.ofMillis(200))) {
          states
              .computeIfAbsent(entry.partition(), one -> LossFinder.positionOf(input.store()))
              .take(entry.key(), entry.value());
        }
      }
    }
    return states;
  }

  /**
   * Whether another member has made the first commit since offsets were looked up; waits for one
   * whose offsets are still pending, since its changelog offset may be committed before them.
   */
  private boolean isCommittedMeanwhile(StreamsInput input, int partition) {
    return committed(input, new ListConsumerGroupOffsetsOptions().requireStable(true))
        .containsKey(new TopicPartition(input.topic(), partition));
  }

  private String stateLost(TopicPartition partition, long offset, String changelog) {
    return "state was lost: "
        + plan.applicationId()
        + " has read "
        + partition.topic()
        + " partition "
        + partition.partition()
        + " up to offset "
        + offset
        + ", but its part of the changelog "
        + changelog
        + " is missing or empty; restore the changelog, or start with a new "
        + plan.idSetting()
        + ", which reads from the beginning, or accept the loss for each partition: weir"
        + " accept-loss "
        + plan.applicationId()
        + " --topic "
        + partition.topic()
        + " --partition "
        + partition.partition();
  }

  /** The committed offsets of an input, without partitions that have none. */
  private Map<TopicPartition, OffsetAndMetadata> committed(
      StreamsInput input, ListConsumerGroupOffsetsOptions options) {
    try {
      Map<TopicPartition, OffsetAndMetadata> offsets =
          KafkaFutures.await(
              admin
                  .listConsumerGroupOffsets(plan.applicationId(), options)
                  .partitionsToOffsetAndMetadata());
      offsets.values().removeIf(offset -> offset == null);
      offsets.keySet().removeIf(partition -> !partition.topic().equals(input.topic()));
      return offsets;
    } catch (GroupIdNotFoundException e) {
      return new HashMap<>();
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
