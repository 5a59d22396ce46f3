package io.weir.internal.imports;

import io.weir.internal.app.WaitLog;
import io.weir.internal.fetch.BrokerAnswers;
import io.weir.internal.fetch.OversizedBatch;
import io.weir.internal.imports.ImportProgress.Mark;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Reading;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
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
  private static final Duration POLL = Duration.ofMillis(100);
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
  private final BrokerAnswers answers;
  private final WaitLog waits;
  private long checkedNanos = System.nanoTime();

  /**
   * @param waits has what the session waits for
   * @param nanos a clock such as {@link System#nanoTime()}
   */
  ImportSession(
      ImportSettings settings,
      Import.Clients clients,
      Import.Form form,
      WaitLog waits,
      LongSupplier nanos) {
    this.waits = waits;
    this.settings = settings;
    this.clients = clients;
    this.reader = form.reader();
    this.letters = new ImportDeadLetters(settings, form.maxDeadLetterBytes());
    this.producer = clients.producer().get();
    this.transaction = new ImportTransaction(producer, nanos);
    this.output = new ImportOutput(settings, form, transaction);
    try {
      // Ends the transaction of a killed process: only then are offsets and progress known.
      producer.initTransactions();
      this.consumer = clients.consumer().get();
    } catch (RuntimeException e) {
      producer.close(Duration.ZERO);
      throw e;
    }
    answers = new BrokerAnswers(consumer, MonotonicClock::millis);
    if (settings.pattern().isPresent()) {
      consumer.subscribe(settings.pattern().get(), this);
    } else {
      consumer.subscribe(settings.sources(), this);
    }
  }

  /**
   * Maps the records of a poll, in one transaction or, where they become many bytes, in several.
   *
   * @param committed gets the counts of each transaction
   * @param nothingWaits gets the time of the brokers' last answer where no record came, by the
   *     monotonic clock
   */
  ImportCounts step(
      java.util.function.Consumer<ImportCounts> committed, LongConsumer nothingWaits) {
    ConsumerRecords<byte[], byte[]> records;
    try {
      records = consumer.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      throw refused(e);
    }
    if (records.isEmpty()) {
      waits.working();
      nothingWaits.accept(answers.newestMs());
      return ImportCounts.NONE;
    }
    checkTopics();
    if (!isPrepared(records)) {
      return ImportCounts.NONE;
    }
    ImportCounts all = ImportCounts.NONE;
    ImportCounts counts = ImportCounts.NONE;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      counts = counts.plus(take(record));
      transaction.read(record);
      if (transaction.isFull()) {
        output.flush();
        commit(transaction.offsets());
        committed.accept(counts);
        all = all.plus(counts);
        counts = ImportCounts.NONE;
      }
    }
    output.flush();
    commit(records.nextOffsets());
    committed.accept(counts);
    return all.plus(counts);
  }

  /** Whether all schemas are known; if not, the records are read again after a pause. */
  private boolean isPrepared(ConsumerRecords<byte[], byte[]> records) {
    try {
      records.forEach(reader::prepare);
      waits.working();
      return true;
    } catch (RegistryException e) {
      waits.waiting("the registry: " + e.getMessage());
      for (TopicPartition each : records.partitions()) {
        consumer.seek(each, records.records(each).get(0).offset());
      }
      return false;
    }
  }

  private ImportCounts take(ConsumerRecord<byte[], byte[]> record) {
    Optional<OversizedBatch> unread = OversizedBatch.of(record.value(), record.headers());
    if (unread.isPresent() && unread.get().withoutValue() == 0) {
      transaction.add(letters.ofUnread(record, unread.get().describe()));
      return new ImportCounts(0, 0, 1, 0);
    }
    if (record.value() == null) {
      return new ImportCounts(
          0, Math.max(1, unread.map(OversizedBatch::withoutValue).orElse(1)), 0, 0);
    }
    try {
      reader.read(record);
    } catch (UndecodableException e) {
      transaction.add(letters.of(record, e));
      return new ImportCounts(0, 0, 1, 0);
    }
    int good = reader.good().size();
    for (Reading reading : reader.good()) {
      output.add(reading, record);
    }
    if (!reader.refused().isEmpty()) {
      int readings = good + reader.refused().size();
      transaction.add(letters.of(record, reader.refused(), readings));
      return new ImportCounts(0, 0, 1, good);
    }
    return good == 0 ? new ImportCounts(0, 1, 0, 0) : new ImportCounts(1, 0, 0, good);
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, next) ->
            transaction.add(
                ImportProgress.record(
                    settings,
                    partition,
                    new Mark(topicIds.get(partition.topic()), next.offset()))));
    transaction.commit(offsets, consumer::groupMetadata);
  }

  /** Offsets of a topic that was deleted mean nothing on the one that has its name now. */
  private void checkTopics() {
    if (System.nanoTime() - checkedNanos < TOPIC_CHECK_NANOS) {
      return;
    }
    checkedNanos = System.nanoTime();
    topicIds.forEach(
        (topic, id) -> {
          if (!clients.topicId().apply(topic).filter(id::equals).isPresent()) {
            throw new KafkaException("topic " + topic + " was deleted or made again");
          }
        });
  }

  /** Decides where partitions begin, and commits it before anything is read. */
  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    if (assigned.isEmpty()) {
      return;
    }
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
      marks = ImportProgress.read(settings, reader);
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
        begin.put(each, new OffsetAndMetadata(mark.offset()));
      } else {
        consumer.seek(each, committed.get(each));
      }
    }
    settings
        .start()
        .offsets(consumer, fresh)
        .forEach((each, at) -> begin.put(each, new OffsetAndMetadata(at)));
    consumer
        .beginningOffsets(madeAgain)
        .forEach((each, at) -> begin.put(each, new OffsetAndMetadata(at)));
    if (!begin.isEmpty()) {
      begin.forEach(consumer::seek);
      commit(begin);
    }
  }

  private static boolean isOf(TopicPartition partition, String topic) {
    return partition.topic().equals(topic);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    // All that was read is committed.
  }

  private RuntimeException refused(OffsetOutOfRangeException e) {
    checkedNanos = System.nanoTime() - TOPIC_CHECK_NANOS;
    checkTopics();
    Map<TopicPartition, Long> wanted = e.offsetOutOfRangePartitions();
    Map<TopicPartition, Long> first = consumer.beginningOffsets(wanted.keySet());
    TopicPartition one = wanted.keySet().iterator().next();
    long lost = first.get(one) - wanted.get(one);
    return new ImportRefusedException(
        one
            + ": "
            + (lost > 0
                ? lost + " records were deleted before they were imported"
                : "its end is before offset " + wanted.get(one) + ", which was imported")
            + "; to go on without them: kafka-consumer-groups.sh --group "
            + ImportSettings.group(settings.name())
            + " --topic "
            + one.topic()
            + ":"
            + one.partition()
            + " --reset-offsets --to-earliest --execute");
  }

  @Override
  public void close() {
    // Without a wait for an open transaction, which the next session ends.
    producer.close(Duration.ZERO);
    consumer.close();
  }
}
