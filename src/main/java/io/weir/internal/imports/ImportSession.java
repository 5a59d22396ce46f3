package io.weir.internal.imports;

import io.weir.internal.app.AcceptedLosses;
import io.weir.internal.fetch.BrokerAnswers;
import io.weir.internal.fetch.OversizedBatch;
import io.weir.internal.imports.ImportProgress.Mark;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.UndecodableException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pair of a consumer and a transactional producer. Batches, dead letters, progress and offsets
 * of what a poll returned are a transaction, which begins when they are made. So no transaction is
 * open while partitions are taken or given. After any failure both clients are closed, and the next
 * session goes on from the last commit. One thread.
 */
final class ImportSession implements ConsumerRebalanceListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ImportSession.class);

  /** What it waits for begins with it, if a registry does not answer. */
  static final String REGISTRY = "the registry";

  private static final Duration POLL = Duration.ofMillis(100);

  /** Then it polls again: after {@code max.poll.interval.ms} another would get its partitions. */
  private static final long LONGEST_STEP_NANOS = Duration.ofSeconds(20).toNanos();

  private static final long TOPIC_CHECK_NANOS = Duration.ofSeconds(1).toNanos();

  private final ImportSettings settings;
  private final Import.Clients clients;
  private final RecordReader reader;
  private final ImportTransaction transaction;
  private final ImportOutput output;
  private final ImportDeadLetters letters;
  private final Consumer<byte[], byte[]> consumer;
  private final Producer<byte[], byte[]> producer;
  private final Map<String, Uuid> topicIds = new HashMap<>();
  private final Map<String, ImportCounts> uncommitted = new HashMap<>();
  private final Set<String> missing;
  private final RecordMerge merge;
  private final BrokerAnswers answers;
  private final ImportStatus status;
  private final LongSupplier nanos;
  private long checkedNanos;
  private boolean waitsForRegistry;
  private boolean waitsForTopics;

  /**
   * @param status gets what the session commits and waits for
   * @param nanos a clock such as {@link System#nanoTime()}
   */
  ImportSession(
      ImportSettings settings,
      Import.Clients clients,
      Import.Form form,
      ImportStatus status,
      LongSupplier nanos) {
    this.status = status;
    this.nanos = nanos;
    this.checkedNanos = nanos.getAsLong();
    this.settings = settings;
    this.missing = new HashSet<>(settings.sources());
    this.clients = clients;
    this.reader = form.reader();
    this.letters = new ImportDeadLetters(settings, form.maxDeadLetterBytes());
    this.producer = clients.producer().get();
    this.transaction = new ImportTransaction(producer, nanos);
    this.output = new ImportOutput(settings, form, transaction, this::commitRead);
    try {
      // Ends the transaction of a killed process: only then are offsets and progress known.
      producer.initTransactions();
      this.consumer = clients.consumer().get();
    } catch (RuntimeException e) {
      producer.close(Duration.ZERO);
      throw e;
    }
    this.merge = new RecordMerge(consumer, settings.maxIdle(), nanos);
    this.answers = new BrokerAnswers(consumer, MonotonicClock::millis);
    if (settings.pattern().isPresent()) {
      consumer.subscribe(settings.pattern().get(), this);
    } else {
      consumer.subscribe(settings.sources(), this);
    }
  }

  /** Maps records, in one transaction or, if they become many bytes, in several. */
  long step() {
    try {
      merge.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      goOnAfterLoss(e);
    }
    if (nanos.getAsLong() - checkedNanos >= TOPIC_CHECK_NANOS) {
      checkedNanos = nanos.getAsLong();
      checkTopics();
      status.lags(merge.lags());
    }
    long records = 0;
    waitsForRegistry = false;
    long beganNanos = nanos.getAsLong();
    while (nanos.getAsLong() - beganNanos < LONGEST_STEP_NANOS && isPrepared(merge.peek())) {
      ConsumerRecord<byte[], byte[]> record = merge.peek();
      ImportCounts counts = take(record);
      uncommitted.merge(record.topic(), counts, ImportCounts::plus);
      transaction.read(record);
      merge.remove();
      records += counts.records();
    }
    commitRead();
    if (!waitsForRegistry && !waitsForTopics) {
      status.waits().working();
    }
    if (merge.isEmpty() && status.waits().waitsFor().isEmpty()) {
      status.succeeded(answers.newestMs());
    }
    return records;
  }

  /** Records that were not mapped yet. */
  long left() {
    return merge.lags().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether there is a record, and its schema is known; if not, it is tried after a pause. */
  private boolean isPrepared(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record != null) {
        reader.prepare(record);
      }
      return record != null;
    } catch (RegistryException e) {
      status.waits().waiting(REGISTRY + ": " + e.getMessage());
      waitsForRegistry = true;
      return false;
    }
  }

  private void commitRead() {
    output.flush();
    Map<TopicPartition, OffsetAndMetadata> read = transaction.offsets();
    if (!read.isEmpty()) {
      commit(merge.offsets(read));
    }
  }

  private ImportCounts take(ConsumerRecord<byte[], byte[]> record) {
    Optional<OversizedBatch> unread = OversizedBatch.of(record.value(), record.headers());
    if (unread.isPresent() && unread.get().withoutValue() == 0) {
      return output.add(record, letters.ofUnread(record, unread.get().describe()));
    }
    if (record.value() == null) {
      return ImportCounts.ofTombstones(
          Math.max(1, unread.map(OversizedBatch::withoutValue).orElse(1)));
    }
    try {
      reader.read(record);
    } catch (UndecodableException e) {
      return output.add(record, letters.of(record, e));
    }
    int good = reader.good().size();
    int bad = reader.refused().size();
    Optional<ProducerRecord<byte[], byte[]>> letter =
        bad == 0 ? Optional.empty() : Optional.of(letters.of(record, reader.refused(), good + bad));
    return output
        .add(record, reader.good(), reader.bytes(), letter)
        .plus(new ImportCounts(0, 0, 0, 0, 0, 0, bad));
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, next) ->
            transaction.add(
                ImportProgress.record(
                    settings, partition, new Mark(topicIds.get(partition.topic()), next))));
    long beganNanos = nanos.getAsLong();
    transaction.commit(offsets, consumer::groupMetadata);
    status.committed(uncommitted, Duration.ofNanos(nanos.getAsLong() - beganNanos));
    uncommitted.clear();
  }

  /** Offsets of a topic that was deleted mean nothing on the one that has its name now. */
  private void checkTopics() {
    topicIds.forEach(
        (topic, id) -> {
          if (!clients.topicId().apply(topic).filter(id::equals).isPresent()) {
            throw new KafkaException("topic " + topic + " was deleted or made again");
          }
        });
    missing.removeIf(topic -> clients.topicId().apply(topic).isPresent());
    waitsForTopics = !missing.isEmpty();
    if (waitsForTopics) {
      status.waits().waiting("topics that do not exist: " + String.join(", ", missing));
    }
  }

  /** Decides where partitions begin, and commits it before anything is read. */
  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    if (assigned.isEmpty()) {
      return;
    }
    merge.assigned(assigned);
    output.beginBoot();
    Set<TopicPartition> partitions = new HashSet<>(assigned);
    for (TopicPartition each : partitions) {
      topicIds.put(
          each.topic(),
          clients
              .topicId()
              .apply(each.topic())
              .orElseThrow(() -> new KafkaException("topic " + each.topic() + " was deleted")));
    }
    Map<TopicPartition, Mark> marks;
    try (Consumer<byte[], byte[]> reader = clients.reader().get()) {
      marks = ImportProgress.read(settings, reader, clients.end());
    }
    Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions);
    Map<TopicPartition, OffsetAndMetadata> begin = new HashMap<>();
    Set<TopicPartition> fresh = new HashSet<>();
    Set<TopicPartition> madeAgain = new HashSet<>();
    for (TopicPartition each : partitions) {
      Mark mark = marks.get(each);
      if (mark != null && !mark.topicId().equals(topicIds.get(each.topic()))) {
        LOG.warn(
            "topic {} was made again: partition {} is read from its beginning",
            each.topic(),
            each.partition());
        madeAgain.add(each);
      } else if (committed.get(each) == null && mark == null) {
        boolean grown =
            marks.keySet().stream()
                .anyMatch(old -> settings.pattern().isPresent() || isOf(old, each.topic()));
        (grown ? madeAgain : fresh).add(each);
      } else if (committed.get(each) == null) {
        begin.put(each, mark.next());
      } else {
        consumer.seek(each, committed.get(each));
      }
    }
    Map<TopicPartition, Long> starts = start(fresh);
    fresh.forEach(each -> begin.put(each, new OffsetAndMetadata(starts.get(each))));
    consumer
        .beginningOffsets(madeAgain)
        .forEach((each, at) -> begin.put(each, new OffsetAndMetadata(at)));
    if (!begin.isEmpty()) {
      begin.forEach(consumer::seek);
      commit(begin);
    }
  }

  /**
   * Where partitions begin that are read for the first time, as all there are of their topics, or
   * of the pattern. The decision is for all: another instance gets others of them.
   */
  private Map<TopicPartition, Long> start(Set<TopicPartition> fresh) {
    if (fresh.isEmpty()) {
      return Map.of();
    }
    Stream<String> topics =
        settings
            .pattern()
            .map(each -> consumer.listTopics().keySet().stream().filter(each.asMatchPredicate()))
            .orElseGet(() -> fresh.stream().map(TopicPartition::topic).distinct());
    Set<TopicPartition> all = new HashSet<>(fresh);
    topics
        .flatMap(topic -> consumer.partitionsFor(topic).stream())
        .forEach(each -> all.add(new TopicPartition(each.topic(), each.partition())));
    Map<TopicPartition, Long> starts = settings.start().offsets(consumer, all);
    Map<String, Optional<Uuid>> ids = new HashMap<>();
    starts.forEach(
        (each, at) ->
            ids.computeIfAbsent(each.topic(), clients.topicId())
                .map(id -> ImportProgress.start(settings, each, new Mark(id, at)))
                .ifPresent(transaction::add));
    return starts;
  }

  private static boolean isOf(TopicPartition partition, String topic) {
    return partition.topic().equals(topic);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    // All that was taken is committed.
    merge.revoked(revoked);
  }

  /** Goes on behind records that were deleted, if a person has accepted their loss. */
  private void goOnAfterLoss(OffsetOutOfRangeException e) {
    checkTopics();
    AcceptedLosses losses = new AcceptedLosses(settings.control(), clients.reader());
    e.offsetOutOfRangePartitions()
        .forEach(
            (partition, wanted) -> {
              Uuid id = topicIds.get(partition.topic());
              long next =
                  losses
                      .nextOffset(settings.group(), id, partition.partition(), 0, wanted)
                      .orElseThrow(() -> refused(partition, wanted));
              LOG.warn(
                  "{} continues at offset {} instead of {}: an operator accepted the loss",
                  partition,
                  next,
                  wanted);
              consumer.seek(partition, next);
            });
  }

  private RuntimeException refused(TopicPartition partition, long wanted) {
    long lost = consumer.beginningOffsets(Set.of(partition)).get(partition) - wanted;
    return new ImportRefusedException(
        partition
            + ": "
            + (lost > 0
                ? lost + " records were deleted before they were imported"
                : "its end was lost: it was imported up to offset " + wanted)
            + "; to continue without these records, run: weir accept-loss "
            + settings.group()
            + " --topic "
            + partition.topic()
            + " --partition "
            + partition.partition());
  }

  @Override
  public void close() {
    // Without a wait for an open transaction, which the next session ends.
    producer.close(Duration.ZERO);
    consumer.close();
  }
}
