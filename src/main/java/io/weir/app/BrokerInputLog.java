package io.weir.app;

import io.weir.fetch.BoundedConsumer;
import io.weir.fetch.BoundedFetches;
import io.weir.store.StateMismatchException;
import io.weir.topic.SensorPartition;
import io.weir.topology.InputLog;
import io.weir.topology.ReadElsewhereException;
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
 * Holds a restored state against its input topic on the brokers. A state says which record comes
 * next: one before it would be counted twice, one behind it means that the end of the changelog is
 * missing. Nothing is asked of the brokers where the next record is at hand, which is the rule;
 * otherwise what lies between is read: markers of transactions and aborted records may, records may
 * not, and what retention has deleted is said.
 *
 * <p>A state that ends too early is read once more before it counts as lost. Kafka Streams reads a
 * changelog up to its last stable offset, and a transaction that was decided may get its marker
 * there later than in the topic of offsets: when brokers come back after an outage, that is the
 * rule. It is lost where all of the changelog could be read. Safe for many threads.
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
   * Of the calling thread, which has all its states read again since: ends of the changelog's
   * partitions that could be read as a whole.
   */
  private final ThreadLocal<Map<TopicPartition, Long>> wholeBefore =
      ThreadLocal.withInitial(Map::of);

  /**
   * @param topicId the id of the topic as it is now
   * @param jumps in which partitions the consumers may have left out what was deleted
   * @param marks what was committed of each partition
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
    this.client = config.kafka().forConsumer();
    client.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    client.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    client.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    client.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    client.remove(ConsumerConfig.GROUP_ID_CONFIG);
    client.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    client.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    this.applicationId = plan.applicationId();
    Map<String, Object> orders = new HashMap<>(client);
    orders.remove(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
    this.losses =
        new AcceptedLosses(
            config.topics().control(),
            () -> BoundedConsumer.open(orders, config.maxDecompressedRecordBytes()));
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
  public long requireContinues(int partition, Uuid stateTopicId, long nextOffset, long offset) {
    TopicPartition input = new TopicPartition(topic, partition);
    try {
      long deleted = requireSame(partition, stateTopicId, nextOffset, offset);
      marks.goneOn(input);
      return deleted;
    } catch (StateMismatchException e) {
      return requireAccepted(input, nextOffset, offset, e);
    }
  }

  /**
   * Offsets expire where nobody reads a topic for long, as when folds are off. A state is written
   * with its offset, so that it knows by itself how far it has come.
   */
  private boolean hasNoOffset(TopicPartition input, Uuid stateTopicId) {
    return stateTopicId.equals(topicId) && marks.isUncommitted(input);
  }

  /**
   * Whether reading begins before the end of a state that is whole: no offset is committed, or only
   * one of records that were left out.
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
   * Whether a state holds all that was committed, although reading goes on behind a record that
   * comes next: Kafka Streams does not put the consumer back where it takes up a task again during
   * a rebalance.
   */
  private boolean isWhole(TopicPartition input, long nextOffset, long found) {
    return marks.isUncommitted(input)
        || marks
            .of(input)
            .filter(committed -> committed.offset() <= found || committed.isOfState(nextOffset))
            .isPresent();
  }

  private ReadElsewhereException elsewhere(TopicPartition input, long from, long offset) {
    LOG.warn("{} goes on at offset {}, where its state ends, and not at {}", input, from, offset);
    marks.readFrom(input, from, from < offset);
    return new ReadElsewhereException(from);
  }

  private long end(TopicPartition input) {
    return endOffsets("read_uncommitted", Set.of(input)).get(input);
  }

  /** As a person has decided, or the partition is halted until one has. */
  private long requireAccepted(
      TopicPartition input, long stateEnd, long offset, StateMismatchException loss) {
    OptionalLong next = accepted(input, stateEnd);
    if (next.isPresent() && offset < next.getAsLong()) {
      throw elsewhere(input, next.getAsLong(), offset);
    }
    StateMismatchException last = loss;
    if (next.isPresent()) {
      try {
        return goOn(input, stateEnd, next.getAsLong(), offset);
      } catch (StateMismatchException e) {
        last = e;
      }
    }
    halts.halt(input, last.getMessage(), () -> !accepted(input, stateEnd).equals(next));
    throw last;
  }

  private long goOn(TopicPartition input, long stateEnd, long next, long offset) {
    int partition = input.partition();
    // Of a topic that lost its end the state has more than is there.
    requireAllApplied(partition, Math.max(next, stateEnd));
    long deleted = offset > next ? requireNothingBetween(partition, next, offset, true) : 0;
    long lost = Math.max(1, next - stateEnd);
    LOG.warn(
        "{} goes on at offset {} without what was lost behind offset {}, as was accepted",
        input,
        offset,
        stateEnd);
    halts.goneOn(lost);
    jumps.seen(input);
    marks.goneOn(input);
    return lost + deleted;
  }

  private OptionalLong accepted(TopicPartition input, long stateEnd) {
    return losses.nextOffset(applicationId, topicId, input.partition(), stateEnd);
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
          "the state holds all up to offset "
              + nextOffset
              + ", but reading begins again at "
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
   * What was committed as applied is in the state: it was read, so that what is left of it on the
   * topic says nothing.
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
              + ", but all up to offset "
              + applied
              + " was applied and committed: the changelog lost its end");
    }
  }

  private static String endOf(long nextOffset) {
    return nextOffset == 0 ? "there is no state" : "the state ends at offset " + nextOffset;
  }

  /**
   * Returns how many offsets were deleted before they were read.
   *
   * @param isDecided whether a person has decided that reading goes on at the next offset
   */
  private long requireNothingBetween(
      int partition, long nextOffset, long offset, boolean isDecided) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      // As for the stream threads: a batch that they do not decompress is one record, its last.
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
                + ", but reading goes on at "
                + offset
                + " and the record at "
                + found
                + " lies between: the changelog lost its end");
      }
      if (beginning > nextOffset) {
        requireUnread(input, nextOffset);
      }
      return deletedUnread(input, nextOffset, Math.min(beginning, offset));
    }
  }

  /**
   * Behind a state, records were deleted. They were not read if the committed offset is not behind
   * them; one without a mark says nothing else.
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
              + ", and the records between were deleted");
    }
  }

  private long deletedUnread(TopicPartition input, long nextOffset, long beginning) {
    if (beginning <= nextOffset) {
      return 0;
    }
    jumps.seen(input);
    LOG.error(
        "{} partition {}: offsets {} to {} were deleted before they were read",
        topic,
        input.partition(),
        nextOffset,
        beginning - 1);
    return beginning - nextOffset;
  }

  /**
   * Returns if the state was read when all of the changelog could be read.
   *
   * @throws TaskMigratedException if it may have been read too early: Streams closes all tasks of
   *     the thread, and reads their states again
   */
  private void requireWholeChangelog(int partition) {
    TopicPartition part = new TopicPartition(changelog, partition);
    long end = endOffsets("read_uncommitted", Set.of(part)).get(part);
    if (wholeBefore.get().getOrDefault(part, -1L) == end) {
      return;
    }
    wholeBefore.set(wholePartitions(part));
    String what =
        changelog + " partition " + partition + " may have been read too early: it is read again";
    LOG.warn("{}", what);
    throw new TaskMigratedException(what);
  }

  /** Ends of the changelog's partitions that no open transaction hides: of one at least, or all. */
  private Map<TopicPartition, Long> wholePartitions(TopicPartition atLeast) {
    Set<TopicPartition> all = new HashSet<>();
    for (int i = 0; i < SensorPartition.COUNT; i++) {
      all.add(new TopicPartition(changelog, i));
    }
    try {
      return whole(all);
    } catch (TimeoutException e) {
      // Another partition has no leader now.
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

  /** Offset of the first committed record from an offset on; {@code to} where none is before it. */
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
            + "; bring back what is missing, start with a new "
            + idSetting
            + ", which reads from the beginning, or go on without: weir accept-loss "
            + applicationId
            + " --topic "
            + topic
            + " --partition "
            + partition);
  }
}
