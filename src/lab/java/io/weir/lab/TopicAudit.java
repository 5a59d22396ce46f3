package io.weir.lab;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Counts the terms of the balance from the records of the four topics, and what is in rollups,
 * knowing nothing of the application but what is there. The records of a partition must come in
 * their order; how partitions and topics interleave does not matter. Framed or bare. One thread.
 */
public final class TopicAudit {
  private final TopicNames topics;
  private final Consumer<WindowSummary> watcher;
  private final Consumer<WindowSummary> rollupWatcher;
  private final BiConsumer<RejectReason, ReadingBatch> deadLetters;
  private final SummaryRows summaries = new SummaryRows();
  private final SummaryRows rollups = new SummaryRows();
  private final SummaryRows hops = new SummaryRows();
  private final HopBalance hopBalance = new HopBalance();
  private final BatchesSeen seen = new BatchesSeen();
  private final Map<RejectReason, Long> rejected = new EnumMap<>(RejectReason.class);
  private long batches;
  private long readings;
  private long undecodable;
  private long emissions;
  private long late;
  private long poisonRecords;

  /**
   * @param watcher is shown every summary of a window
   */
  public TopicAudit(TopicNames topics, Consumer<WindowSummary> watcher) {
    this(topics, watcher, rollup -> {}, (reason, refused) -> {});
  }

  /**
   * @param rollupWatcher is shown every summary of a rollup
   * @param deadLetters is shown every batch of refused readings
   */
  TopicAudit(
      TopicNames topics,
      Consumer<WindowSummary> watcher,
      Consumer<WindowSummary> rollupWatcher,
      BiConsumer<RejectReason, ReadingBatch> deadLetters) {
    this.topics = topics;
    this.watcher = watcher;
    this.rollupWatcher = rollupWatcher;
    this.deadLetters = deadLetters;
  }

  /**
   * Counts a record of one of the topics.
   *
   * @throws IllegalStateException if the application wrote what cannot be decoded
   */
  public void take(ConsumerRecord<byte[], byte[]> record) {
    String topic = record.topic();
    try {
      if (topic.equals(topics.readings())) {
        takeReadings(record);
      } else if (topic.equals(topics.windows())) {
        WindowSummary window = parse(WindowSummary.parser(), record.value());
        takeWindow(window);
        if (topics.byTopic().containsKey(Topic.HOPPING)) {
          hopBalance.window(window);
        }
      } else if (topic.equals(topics.late())) {
        late += readingsOf(parse(ReadingBatch.parser(), record.value()));
      } else if (topic.equals(topics.deadLetters())) {
        takeDeadLetter(record);
      } else if (topic.equals(topics.byTopic().get(Topic.ROLLUPS))) {
        WindowSummary rollup = parse(WindowSummary.parser(), record.value());
        rollups.add(rollup);
        rollupWatcher.accept(rollup);
      } else if (topic.equals(topics.byTopic().get(Topic.HOPPING))) {
        WindowSummary hop = parse(WindowSummary.parser(), record.value());
        hops.add(hop);
        hopBalance.hop(hop);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          topic + " partition " + record.partition() + " offset " + record.offset() + ": " + e, e);
    }
  }

  private void takeReadings(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      undecodable++;
      return;
    }
    ReadingBatch batch;
    try {
      batch = parse(ReadingBatch.parser(), record.value());
    } catch (InvalidProtocolBufferException e) {
      undecodable++;
      return;
    }
    long size = readingsOf(batch);
    batches++;
    readings += size;
    if (batch.getBootId() != 0) {
      seen.came(
          new BatchesSeen.Key(
              batch.getGatewayId(), batch.getBootId(), record.partition(), batch.getSequence()),
          size);
    }
  }

  private static <T> T parse(Parser<T> parser, byte[] value) throws InvalidProtocolBufferException {
    try {
      int payload = Frame.payloadOffset(value);
      return parser.parseFrom(value, payload, value.length - payload);
    } catch (UndecodableException e) {
      throw new InvalidProtocolBufferException(e.getMessage());
    }
  }

  private void takeWindow(WindowSummary summary) {
    emissions++;
    summaries.add(summary);
    watcher.accept(summary);
  }

  private void takeDeadLetter(ConsumerRecord<byte[], byte[]> record)
      throws InvalidProtocolBufferException {
    RejectReason reason = RejectReason.valueOf(header(record, DeadLetterHeaders.REASON));
    if (reason.scope() == RejectReason.Scope.RECORD) {
      poisonRecords++;
      return;
    }
    ReadingBatch refused = parse(ReadingBatch.parser(), record.value());
    deadLetters.accept(reason, refused);
    long size = readingsOf(refused);
    rejected.merge(reason, size, Long::sum);
    if (reason.scope() == RejectReason.Scope.BATCH
        && record.headers().lastHeader(DeadLetterHeaders.BOOT_ID) != null) {
      seen.refused(refusedBatch(record), size);
    }
  }

  private static BatchesSeen.Key refusedBatch(ConsumerRecord<byte[], byte[]> deadLetter) {
    boolean sequenced = deadLetter.headers().lastHeader(DeadLetterHeaders.SEQUENCE) != null;
    return new BatchesSeen.Key(
        header(deadLetter, DeadLetterHeaders.GATEWAY),
        Long.parseUnsignedLong(header(deadLetter, DeadLetterHeaders.BOOT_ID)),
        Integer.parseInt(header(deadLetter, DeadLetterHeaders.PARTITION)),
        sequenced ? Long.parseUnsignedLong(header(deadLetter, DeadLetterHeaders.SEQUENCE)) : 0);
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    if (header == null) {
      throw new IllegalStateException(
          record.topic()
              + " partition "
              + record.partition()
              + " offset "
              + record.offset()
              + " has no header "
              + name);
    }
    return new String(header.value(), StandardCharsets.UTF_8);
  }

  /** A series whose columns disagree has as many readings as the longer one. */
  private static long readingsOf(ReadingBatch batch) {
    long readings = batch.getReadingsCount();
    for (Series series : batch.getSeriesList()) {
      readings += Math.max(series.getTimestampDeltaMsCount(), series.getValueCount());
    }
    return readings;
  }

  /** The counts so far. */
  public AuditTally tally() {
    return new AuditTally(
        batches,
        readings,
        undecodable,
        emissions,
        summaries.windows(),
        summaries.readings(),
        rollups.readings(),
        late,
        rejected.values().stream().mapToLong(Long::longValue).sum(),
        Map.copyOf(rejected),
        poisonRecords,
        seen.duplicates(),
        seen.byGateway());
  }

  /** The windows' latest summaries so far; for the thread that {@link #take takes}. */
  public SummaryRows summaries() {
    return summaries;
  }

  /** The latest summaries of hopping windows so far; for the thread that takes. */
  public SummaryRows hops() {
    return hops;
  }

  /** What hopping windows must hold; for any thread. */
  HopBalance hopBalance() {
    return hopBalance;
  }

  /** The rollups' latest summaries so far, of all sizes; for the thread that takes. */
  public SummaryRows rollups() {
    return rollups;
  }
}
