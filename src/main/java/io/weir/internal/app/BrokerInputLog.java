package io.weir.internal.app;

import io.weir.internal.fetch.BoundedFetches;
import io.weir.internal.store.StateMismatchException;
import io.weir.internal.topology.InputLog;
import io.weir.internal.topology.ReadElsewhereException;
import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a restored state with its input topic. A state contains the offset of the next record:
 * an earlier record would count twice, a later one means that the end of the changelog is missing.
 * Usually the next record has this offset, and no request is needed. Otherwise the offsets between
 * are read: only transaction markers and aborted records may be there; deleted records are
 * reported.
 *
 * <p>A state that ends too early is restored once more before it counts as lost. Kafka Streams
 * reads a changelog up to its last stable offset, and a decided transaction may get its marker
 * there later than in __consumer_offsets, typically when brokers restart after an outage. The state
 * is lost if all of the changelog was readable. Safe for many threads.
 */
final class BrokerInputLog implements InputLog {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerInputLog.class);
  private static final Duration POLL = Duration.ofMillis(500);

  private final String topic;
  private final Uuid topicId;
  private final String changelog;
  private final String idSetting;
  private final int maxBatchBytes;
  private final int maxRecordBytes;
  private final Map<String, Object> client;
  private final OffsetJumps jumps;
  private final CommitMarks marks;
  private final HaltedPartitions halts;
  private final String applicationId;
  private final AcceptedLosses losses;

  /**
   * Per thread: ends of the changelog partitions that were fully readable, since all its states
   * were restored again.
   */
  private final ThreadLocal<Map<TopicPartition, Long>> wholeBefore =
      ThreadLocal.withInitial(Map::of);

  /**
   * @param topicId the current id of the topic
   * @param jumps partitions in which consumers may have skipped deleted records
   * @param marks committed offsets with marks
   * @param halts receives partitions whose state was lost
   */
  BrokerInputLog(
      StreamsInput input,
      Uuid topicId,
      StreamsPlan plan,
      WeirConfig config,
      OffsetJumps jumps,
      CommitMarks marks,
      HaltedPartitions halts) {
    this.jumps = jumps;
    this.marks = marks;
    this.halts = halts;
    this.topic = input.topic();
    this.changelog = input.changelog(plan.applicationId());
    this.idSetting = plan.idSetting();
    this.topicId = topicId;
    this.maxBatchBytes = config.maxDecompressedBytes();
    this.maxRecordBytes = config.maxDecompressedRecordBytes();
    this.client = config.kafka().forReader("earliest");
    client.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    client.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    this.applicationId = plan.applicationId();
    this.losses = AcceptedLosses.of(config);
  }

  @Override
  public Uuid topicId() {
    return topicId;
  }

  @Override
  public boolean mayHaveJumped(int partition) {
    return jumps.any() && jumps.has(new TopicPartition(topic, partition));
  }

  @Override
  public boolean isHalted(int partition) {
    return halts.has(new TopicPartition(topic, partition));
  }

  @Override
  public OptionalLong deletedBeforeMs(long nowMs) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Map<TopicPartition, Long> firstTimes = new HashMap<>();
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        firstTimes.put(new TopicPartition(topic, partition), 0L);
      }
      Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(firstTimes.keySet());
      firstTimes.keySet().removeIf(partition -> beginnings.get(partition) == 0);
      return consumer.offsetsForTimes(firstTimes).values().stream()
          .mapToLong(first -> first == null ? nowMs : first.timestamp())
          .max();
    }
  }

  @Override
  public Missing requireContinues(
      int partition, Uuid stateTopicId, long life, long stateEnd, long offset) {
    TopicPartition input = new TopicPartition(topic, partition);
    long nextOffset = marks.endOf(input, stateEnd);
    try {
      // Without offsets nobody knows whether a later state, which was lost, had applied them.
      boolean perhapsApplied = nextOffset > 0 && marks.isUncommitted(input);
      long deleted = requireSame(partition, stateTopicId, nextOffset, offset);
      jumps.seen(input, offset);
      marks.goneOn(input, jumps.has(input));
      return new Missing(deleted, deleted > 0 && perhapsApplied);
    } catch (StateMismatchException e) {
      return requireAccepted(input, life, nextOffset, offset, e);
    }
  }

  /**
   * Offsets expire if a topic is not read for long, for example while folds are disabled. A state
   * contains its offset, so it is enough to continue.
   */
  private boolean hasNoOffset(TopicPartition input, Uuid stateTopicId) {
    return stateTopicId.equals(topicId) && marks.isUncommitted(input);
  }

  /**
   * Whether reading would begin before the end of a complete state: no offset is committed, or only
   * one of skipped records.
   */
  private boolean endsBehindOffset(TopicPartition input, Uuid stateTopicId, long nextOffset) {
    return hasNoOffset(input, stateTopicId)
        || stateTopicId.equals(topicId)
            && marks
                .of(input)
                .filter(committed -> committed.offset() < nextOffset)
                .filter(committed -> committed.isOfState(nextOffset))
                .isPresent();
  }

  /**
   * Whether a state contains everything that was committed although the consumer's position is
   * beyond the next record: Kafka Streams does not reset the position when it recreates a task
   * during a rebalance.
   */
  private boolean isWhole(TopicPartition input, long nextOffset, long found) {
    return marks.isUncommitted(input)
        || marks
            .of(input)
            .filter(committed -> committed.offset() <= found || committed.isOfState(nextOffset))
            .isPresent();
  }

  private ReadElsewhereException elsewhere(TopicPartition input, long from, long offset) {
    LOG.warn("{} continues at offset {}, the end of its state, instead of {}", input, from, offset);
    marks.readFrom(input, from, from < offset);
    return new ReadElsewhereException(from);
  }

  private long end(TopicPartition input) {
    return endOffsets("read_uncommitted", Set.of(input)).get(input);
  }

  /** As an operator has decided; otherwise halts the partition. */
  private Missing requireAccepted(
      TopicPartition input, long life, long stateEnd, long offset, StateMismatchException loss) {
    OptionalLong next = accepted(input, life, stateEnd);
    if (next.isPresent() && offset < next.getAsLong()) {
      throw elsewhere(input, next.getAsLong(), offset);
    }
    StateMismatchException last = loss;
    if (next.isPresent()) {
      try {
        return new Missing(
            continueAt(input, stateEnd, next.getAsLong(), offset), next.getAsLong() > stateEnd);
      } catch (StateMismatchException e) {
        last = e;
      }
    }
    halts.halt(input, last.getMessage(), () -> !accepted(input, life, stateEnd).equals(next));
    throw last;
  }

  private long continueAt(TopicPartition input, long stateEnd, long next, long offset) {
    int partition = input.partition();
    // If a topic lost its end, the state is ahead of it.
    requireAllApplied(partition, Math.max(next, stateEnd));
    long deleted = offset > next ? requireNothingBetween(partition, next, offset, true) : 0;
    long lost = Math.max(1, next - stateEnd);
    LOG.warn(
        "{} continues at offset {} without the records that were lost after offset {}, as accepted",
        input,
        offset,
        stateEnd);
    halts.goneOn(lost);
    jumps.forget(input);
    marks.goneOn(input, false);
    return lost + deleted;
  }

  private OptionalLong accepted(TopicPartition input, long life, long stateEnd) {
    return losses.nextOffset(applicationId, topicId, input.partition(), life, stateEnd);
  }

  private long requireSame(int partition, Uuid stateTopicId, long nextOffset, long offset) {
    if (!stateTopicId.equals(Uuid.ZERO_UUID) && !stateTopicId.equals(topicId)) {
      throw mismatch(
          partition,
          "the topic was deleted and recreated: the state is of topic id " + stateTopicId);
    }
    TopicPartition input = new TopicPartition(topic, partition);
    if (offset < nextOffset) {
      if (endsBehindOffset(input, stateTopicId, nextOffset) && nextOffset <= end(input)) {
        throw elsewhere(input, nextOffset, offset);
      }
      throw mismatch(
          partition,
          "the state contains everything up to offset "
              + nextOffset
              + ", but reading would start at "
              + offset
              + ": committed offsets were lost or set back, or the topic was recreated");
    }
    requireAllApplied(partition, nextOffset);
    if (offset == nextOffset) {
      return 0;
    }
    if (nextOffset > 0 && marks.isUncommitted(input) && !hasNoOffset(input, stateTopicId)) {
      throw mismatch(
          partition,
          endOf(nextOffset)
              + ", but no offset is committed: offsets expired, or the topic was recreated");
    }
    return requireNothingBetween(partition, nextOffset, offset, false);
  }

  /**
   * Records that were committed as applied must be in the state, whether or not they are still on
   * the topic.
   */
  private void requireAllApplied(int partition, long nextOffset) {
    long applied =
        marks
            .of(new TopicPartition(topic, partition))
            .map(CommitMarks.Committed::applied)
            .orElse(OptionalLong.empty())
            .orElse(0);
    if (applied > nextOffset) {
      requireWholeChangelog(partition);
      throw mismatch(
          partition,
          endOf(nextOffset)
              + ", but everything up to offset "
              + applied
              + " was applied and committed: the changelog lost its end");
    }
  }

  private static String endOf(long nextOffset) {
    return nextOffset == 0 ? "the state is empty" : "the state ends at offset " + nextOffset;
  }

  /**
   * Returns the number of offsets that were deleted before they were read.
   *
   * @param isDecided whether an operator has decided to continue at the next offset
   */
  private long requireNothingBetween(
      int partition, long nextOffset, long offset, boolean isDecided) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      // As in stream threads: a batch that is too large to decompress is one record, its last.
      BoundedFetches.limit(consumer, maxBatchBytes, maxRecordBytes);
      TopicPartition input = new TopicPartition(topic, partition);
      long beginning = consumer.beginningOffsets(Set.of(input)).get(input);
      long from = Math.max(nextOffset, beginning);
      long found = firstRecord(consumer, input, from, offset);
      if (found < offset) {
        if (isDecided || isWhole(input, nextOffset, found)) {
          throw elsewhere(input, found, offset);
        }
        requireWholeChangelog(partition);
        throw mismatch(
            partition,
            endOf(nextOffset)
                + ", but reading would continue at "
                + offset
                + " and the record at "
                + found
                + " is between them: the changelog lost its end");
      }
      if (beginning > nextOffset) {
        requireUnread(input, nextOffset);
      }
      return deletedUnread(input, nextOffset, Math.min(beginning, offset));
    }
  }

  /**
   * Records after a state were deleted. They were not read unless the committed offset is after
   * them; an offset without a mark has no other information.
   */
  private void requireUnread(TopicPartition input, long nextOffset) {
    long offset =
        marks
            .of(input)
            .filter(committed -> committed.applied().isEmpty())
            .map(CommitMarks.Committed::offset)
            .orElse(0L);
    if (offset > nextOffset) {
      requireWholeChangelog(input.partition());
      throw mismatch(
          input.partition(),
          endOf(nextOffset)
              + ", but the committed offset is "
              + offset
              + ", and the records between them were deleted");
    }
  }

  private long deletedUnread(TopicPartition input, long nextOffset, long beginning) {
    long read = marks.of(input).map(one -> one.readThrough(nextOffset)).orElse(nextOffset);
    if (beginning <= read) {
      return 0; // Only transaction markers were deleted.
    }
    LOG.error(
        "{} partition {}: offsets {} to {} were deleted before they were read",
        topic,
        input.partition(),
        nextOffset,
        beginning - 1);
    return beginning - nextOffset;
  }

  /**
   * Returns if the whole changelog was readable during the restore.
   *
   * @throws TaskMigratedException if the restore may have been too early: Streams closes all tasks
   *     of the thread and restores their states again
   */
  private void requireWholeChangelog(int partition) {
    TopicPartition part = new TopicPartition(changelog, partition);
    long end = endOffsets("read_uncommitted", Set.of(part)).get(part);
    if (wholeBefore.get().getOrDefault(part, -1L) == end) {
      return;
    }
    wholeBefore.set(wholePartitions(part));
    String what =
        changelog
            + " partition "
            + partition
            + " may have been restored too early: restoring again";
    LOG.warn("{}", what);
    throw new TaskMigratedException(what);
  }

  /** Ends of the changelog partitions without an open transaction: of one, or of all. */
  private Map<TopicPartition, Long> wholePartitions(TopicPartition atLeast) {
    Set<TopicPartition> all = new HashSet<>();
    for (int i = 0; i < SensorPartition.COUNT; i++) {
      all.add(new TopicPartition(changelog, i));
    }
    try {
      return whole(all);
    } catch (TimeoutException e) {
      // Another partition has no leader at the moment.
      return whole(Set.of(atLeast));
    }
  }

  private Map<TopicPartition, Long> whole(Set<TopicPartition> partitions) {
    Map<TopicPartition, Long> ends = new HashMap<>(endOffsets("read_uncommitted", partitions));
    ends.entrySet().retainAll(endOffsets("read_committed", partitions).entrySet());
    return ends;
  }

  private Map<TopicPartition, Long> endOffsets(String isolation, Set<TopicPartition> partitions) {
    Map<String, Object> settings = new HashMap<>(client);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return consumer.endOffsets(partitions);
    }
  }

  /**
   * Offset of the first committed record at or after an offset; {@code to} if none is before it.
   */
  private static long firstRecord(
      Consumer<byte[], byte[]> consumer, TopicPartition input, long from, long to) {
    if (from >= to) {
      return to;
    }
    consumer.assign(Set.of(input));
    consumer.seek(input, from);
    while (consumer.position(input) < to) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return Math.min(record.offset(), to);
      }
    }
    return to;
  }

  private StateMismatchException mismatch(int partition, String what) {
    return new StateMismatchException(
        "state was lost: "
            + topic
            + " partition "
            + partition
            + ": "
            + what
            + "; restore the missing data, start with a new "
            + idSetting
            + ", which reads from the beginning, or accept the loss: weir accept-loss "
            + applicationId
            + " --topic "
            + topic
            + " --partition "
            + partition);
  }
}
