package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.registry.ValueFormat;
import io.weir.internal.text.JsonValues.Literal;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Transactions of an import, without a broker. */
class ImportSessionTest {
  private static final TopicPartition SOURCE = new TopicPartition("plant.raw", 0);
  private static final TopicPartition OTHER = new TopicPartition("plant.raw", 1);
  private static final TopicPartition ADDED = new TopicPartition("plant.raw", 2);
  private static final TopicPartition PROGRESS = new TopicPartition("weir.import.progress", 0);
  private static final Uuid ID = Uuid.randomUuid();

  private ImportSettings settings =
      new ImportSettings(
          "plant",
          "weir-import-plant",
          "0",
          Set.of(SOURCE.topic()),
          Optional.empty(),
          ImportStart.parse("earliest"),
          Duration.ofMillis(100),
          Duration.ofSeconds(5),
          "weir.readings",
          "weir.dead-letters",
          PROGRESS.topic(),
          "weir.control");

  private final Deque<Sending> producers = new ArrayDeque<>(List.of(new Sending()));
  private final List<Boolean> openWhileReading = new ArrayList<>();
  private final List<ConsumerRecord<byte[], byte[]>> progress = new ArrayList<>();
  private final Map<String, Uuid> topics = new HashMap<>(Map.of(SOURCE.topic(), ID));
  private final Map<TopicPartition, Long> ends = new HashMap<>(Map.of(SOURCE, 0L));
  private TopicPartition assigned = SOURCE;
  private int hidden;
  private Optional<Integer> epoch = Optional.empty();
  private long nanos;
  private int records = 3;
  private int readingsOfRecord = 1;
  private Duration decoding = Duration.ZERO;

  /** A producer whose first commit may fail after some time. */
  private final class Sending extends MockProducer<byte[], byte[]> {
    private final List<Long> transactions = new ArrayList<>();
    private Duration fencedAfter = Duration.ZERO;
    private int sent;

    Sending() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void commitTransaction() {
      if (!history().isEmpty() && !fencedAfter.isZero()) {
        nanos += fencedAfter.toNanos();
        throw new ProducerFencedException("a newer producer");
      }
      super.commitTransaction();
      List<ProducerRecord<byte[], byte[]>> own = history().subList(sent, history().size());
      transactions.add(own.stream().mapToLong(ImportTransaction::bytesOf).sum());
      sent = history().size();
    }
  }

  private Consumer<byte[], byte[]> source() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    ends.forEach(
        (partition, end) -> {
          consumer.updateBeginningOffsets(Map.of(partition, 0L));
          consumer.updateEndOffsets(Map.of(partition, end));
        });
    ends.keySet().stream()
        .collect(Collectors.groupingBy(TopicPartition::topic))
        .forEach(
            (topic, partitions) ->
                consumer.updatePartitions(
                    topic,
                    partitions.stream()
                        .map(each -> new PartitionInfo(topic, each.partition(), null, null, null))
                        .toList()));
    if (topics.isEmpty()) {
      return consumer;
    }
    consumer.schedulePollTask(
        () -> {
          // The mock assigns all partitions of a pattern at once, without a callback.
          consumer.rebalance(List.of());
          consumer.rebalance(List.of(assigned));
        });
    consumer.schedulePollTask(
        () -> {
          for (int i = 0; i < records; i++) {
            consumer.addRecord(record(i));
          }
        });
    return consumer;
  }

  private ConsumerRecord<byte[], byte[]> record(long offset) {
    return new ConsumerRecord<>(
        SOURCE.topic(),
        0,
        offset,
        5_000,
        TimestampType.CREATE_TIME,
        1,
        1,
        new byte[] {'k'},
        new byte[] {'v'},
        new RecordHeaders(),
        epoch);
  }

  private Consumer<byte[], byte[]> reader() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    consumer.updateBeginningOffsets(Map.of(PROGRESS, 0L));
    consumer.updateEndOffsets(Map.of(PROGRESS, (long) progress.size()));
    consumer.schedulePollTask(() -> progress.forEach(consumer::addRecord));
    return consumer;
  }

  private void wrote(String key, String value) {
    progress.add(
        new ConsumerRecord<>(
            PROGRESS.topic(),
            0,
            progress.size(),
            key == null ? null : key.getBytes(StandardCharsets.UTF_8),
            value == null ? null : value.getBytes(StandardCharsets.UTF_8)));
  }

  private Producer<byte[], byte[]> producer() {
    return producers.size() > 1 ? producers.poll() : producers.peek();
  }

  private List<Object> decoded() {
    openWhileReading.add(producers.peek().transactionInFlight());
    nanos += decoding.toNanos();
    Map<String, Object> members = new LinkedHashMap<>();
    String name = "n".repeat(200);
    IntStream.range(0, readingsOfRecord).forEach(i -> members.put(name + i, new Literal("1")));
    return List.of(members);
  }

  /** Runs until it has polled as often. */
  private ImportCounts run(int polls) {
    int[] waits = {0};
    return importing(this::producer).run(atMost -> atMost.isZero() && ++waits[0] > polls);
  }

  private Import importing(Supplier<Producer<byte[], byte[]>> producer) {
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(Map.of("sensor-id", "{column}", "json-value", "$.*")),
            Limits.DEFAULT,
            RecordText.Time.RECORD,
            100_000);
    RecordReader.Way way = new RecordReader.Way(text, Optional.of(record -> decoded()));
    Import.Form form =
        new Import.Form(
            new RecordReader(value -> way, Optional.empty(), true),
            ValueFormat.of(Map.of()).writer("weir.readings", ReadingBatch.getDefaultInstance()),
            10_000,
            1_000_000,
            1_000_000,
            Optional.empty(),
            false);
    Import.Clients clients =
        new Import.Clients(
            this::source,
            producer,
            this::reader,
            topic -> Optional.ofNullable(topics.get(topic)),
            partition -> progress.size() + hidden);
    return new Import(settings, clients, form, () -> nanos);
  }

  @Test
  void record_isReadBeforeTheTransactionBegins() {
    assertThat(run(4)).isEqualTo(new ImportCounts(3, 0, 0, 3));
    assertThat(openWhileReading).containsExactly(false, false, false);
    assertThat(producers.peek().history()).isNotEmpty();
  }

  @Test
  void manyBytes_areSeveralTransactions() {
    readingsOfRecord = 50_000;
    records = 6;
    Sending only = producers.peek();
    assertThat(run(4)).isEqualTo(new ImportCounts(6, 0, 0, 300_000));
    assertThat(only.commitCount()).isGreaterThan(2);
    assertThat(openWhileReading).containsOnly(false);
    assertThat(lastProgress(only)).isEqualTo(ID + " 6");
  }

  @Test
  void transactions_haveABound_whateverWaitsInBatches() {
    readingsOfRecord = 20_000;
    records = 20;
    Sending only = producers.peek();
    assertThat(run(4).readings()).isEqualTo(400_000);
    assertThat(only.transactions).hasSizeGreaterThan(5).allMatch(bytes -> bytes <= 16 << 20);
  }

  @Test
  void recordWithMoreReadingsThanATransactionHolds_isADeadLetter() {
    readingsOfRecord = 90_000;
    records = 2;
    Sending only = producers.peek();
    assertThat(run(4)).isEqualTo(new ImportCounts(0, 0, 2, 0, 0, 0, 2));
    assertThat(only.history())
        .filteredOn(sent -> sent.topic().equals("weir.dead-letters"))
        .hasSize(2)
        .allMatch(sent -> text(sent, "weir.reason").equals("TOO_MANY_READINGS"));
  }

  private static String text(ProducerRecord<byte[], byte[]> record, String header) {
    return new String(record.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
  }

  private static String lastProgress(Sending producer) {
    return producer.history().stream()
        .filter(sent -> sent.topic().equals(PROGRESS.topic()))
        .reduce((first, last) -> last)
        .map(sent -> new String(sent.value(), StandardCharsets.UTF_8))
        .orElseThrow();
  }

  @Test
  void transactionThatTimedOut_beginsAgain_anotherProcessEndsTheImport() {
    Sending slow = producers.peek();
    slow.fencedAfter = ImportTransaction.TIMEOUT;
    producers.add(new Sending());
    assertThat(run(8)).isEqualTo(new ImportCounts(3, 0, 0, 3));

    producers.clear();
    producers.add(new Sending());
    producers.peek().fencedAfter = ImportTransaction.TIMEOUT.minusMillis(1);
    assertThatThrownBy(() -> run(8))
        .isInstanceOf(ImportRefusedException.class)
        .hasMessageContaining("another process");
  }

  @Test
  void whileKafkaIsAway_theTimeSinceTheLastSuccessGrows() {
    boolean[] away = {true};
    Import importing =
        importing(
            () -> {
              if (away[0]) {
                throw new KafkaException("no broker answers");
              }
              return producer();
            });
    int[] waits = {0};
    importing.run(
        atMost ->
            importing.status().stalledMs() >= 20 || atMost.isZero() && ++waits[0] > 1_000_000);
    assertThat(importing.status().stalledMs()).isGreaterThanOrEqualTo(20);
    assertThat(importing.status().waits().waitsFor()).contains("no broker answers");

    away[0] = false;
    waits[0] = 0;
    importing.run(atMost -> atMost.isZero() && ++waits[0] > 4);
    assertThat(importing.status().waits().waitsFor()).isEmpty();
  }

  @Test
  void missingTopic_isWaitedFor() {
    topics.clear();
    Import importing = importing(this::producer);
    int[] waits = {0};
    importing.run(
        atMost -> {
          nanos += Duration.ofSeconds(1).toNanos();
          return atMost.isZero() && ++waits[0] > 4;
        });
    assertThat(importing.status().waits().waitsFor())
        .isEqualTo("topics that do not exist: plant.raw");
  }

  @Test
  void recordsThatNoImportWrote_arePassedOver() {
    wrote("plant plant.raw 0", ID + " 1");
    wrote(null, "x");
    wrote("plant", "x");
    wrote("plant plant.raw x", ID + " 2");
    wrote("plant plant.raw 0", "x");
    wrote("plant plant.raw 0", ID + " -2");
    wrote("plant plant.raw -1", ID + " 2");
    assertThat(run(4)).isEqualTo(new ImportCounts(2, 0, 0, 2));
    assertThat(lastProgress(producers.peek())).isEqualTo(ID + " 3");
  }

  /** Else another member would get its partitions, and the records were read again for ever. */
  @Test
  void recordsThatTakeLong_areCommittedBeforeTheyAreAllRead() {
    records = 10;
    decoding = Duration.ofMinutes(1);
    assertThat(run(20).records()).isEqualTo(10);
    assertThat(producers.peek().transactions).hasSizeGreaterThanOrEqualTo(10);
  }

  private void from(ImportStart start, Optional<Pattern> pattern) {
    settings =
        new ImportSettings(
            settings.name(),
            settings.group(),
            settings.instance(),
            pattern.isPresent() ? Set.of() : settings.sources(),
            pattern,
            start,
            settings.commitInterval(),
            settings.maxIdle(),
            settings.readings(),
            settings.deadLetters(),
            settings.progress(),
            settings.control());
    records = 0;
  }

  /** Another instance gets a partition, and dies at once; returns where it begins. */
  private String began(TopicPartition partition) {
    assigned = partition;
    producers.clear();
    producers.add(new Sending());
    Sending only = producers.peek();
    run(4);
    String begin = lastProgress(only);
    only.history().stream()
        .filter(sent -> sent.topic().equals(PROGRESS.topic()))
        .forEach(
            sent ->
                wrote(
                    new String(sent.key(), StandardCharsets.UTF_8),
                    new String(sent.value(), StandardCharsets.UTF_8)));
    return begin;
  }

  @Test
  void secondInstanceAtTheFirstStart_beginsWhereTheFirstOneSaysIt_aPartitionAddedLaterAtItsStart() {
    from(ImportStart.parse("latest"), Optional.empty());
    ends.putAll(Map.of(SOURCE, 5L, OTHER, 7L));
    assertThat(began(SOURCE)).isEqualTo(ID + " 5");
    ends.putAll(Map.of(OTHER, 9L, ADDED, 3L));
    assertThat(began(OTHER)).isEqualTo(ID + " 7");
    assertThat(began(ADDED)).isEqualTo(ID + " 0");
  }

  @Test
  void secondInstanceWithAPattern_beginsInItsTopicsWhereTheFirstOneSaysIt_aLaterTopicAtItsStart() {
    TopicPartition second = new TopicPartition("plant.second", 0);
    TopicPartition foreign = new TopicPartition("office.mail", 0);
    TopicPartition later = new TopicPartition("plant.later", 0);
    topics.putAll(Map.of(second.topic(), ID, foreign.topic(), ID));
    from(ImportStart.parse("latest"), Optional.of(Pattern.compile("plant\\..*")));
    ends.putAll(Map.of(SOURCE, 5L, second, 7L, foreign, 8L));
    assertThat(began(SOURCE)).isEqualTo(ID + " 5");
    topics.put(later.topic(), ID);
    ends.putAll(Map.of(second, 9L, later, 3L));
    assertThat(began(second)).isEqualTo(ID + " 7");
    assertThat(began(later)).isEqualTo(ID + " 0");
    assertThat(progress)
        .noneMatch(each -> new String(each.key(), StandardCharsets.UTF_8).contains("office"));
  }

  /** With it Kafka tells a topic that lost its end, even where it has grown since. */
  @Test
  void progress_hasTheLeaderEpochOfItsRecord_whichAStartFromItKeeps() {
    epoch = Optional.of(4);
    Sending only = producers.peek();
    run(4);
    assertThat(lastProgress(only)).isEqualTo(ID + " 3 4");
    wrote("plant plant.raw 0", lastProgress(only));
    records = 0;
    assertThat(began(SOURCE)).isEqualTo(ID + " 3 4");
  }

  /** Others may have committed behind it. */
  @Test
  void transactionThatStaysOpenOnTheProgress_isWaitedFor() {
    wrote("plant plant.raw 0", ID + " 2");
    hidden = 1;
    Import importing = importing(Sending::new);
    int[] waits = {0};
    importing.run(atMost -> atMost.isZero() && ++waits[0] > 3);
    assertThat(importing.status().waits().waitsFor())
        .contains("weir.import.progress-0: a transaction is open since offset 1");
  }

  @Test
  void topicThatWasMadeAgainBetweenTwoInstances_isReadFromItsBeginning() {
    from(ImportStart.parse("latest"), Optional.empty());
    ends.putAll(Map.of(SOURCE, 5L, OTHER, 7L));
    began(SOURCE);
    Uuid again = Uuid.randomUuid();
    topics.put(SOURCE.topic(), again);
    assertThat(began(OTHER)).isEqualTo(again + " 0");
  }
}
