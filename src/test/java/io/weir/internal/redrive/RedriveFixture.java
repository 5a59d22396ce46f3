package io.weir.internal.redrive;

import io.weir.Committed;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.registry.ValueFormat;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.reading.Limits;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A broker, topics of a test's own, and redrives of its dead letters. */
abstract class RedriveFixture {
  static final long NOW = 1_700_000_000_000L;

  static EmbeddedKafka kafka;
  static Admin admin;

  private static int tests;

  TopicNames topics;

  @BeforeAll
  static void startBroker() {
    kafka = EmbeddedKafka.start();
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  @AfterAll
  static void stopBroker() {
    admin.close();
    kafka.close();
  }

  @BeforeEach
  void createTopics() {
    String own = "t" + ++tests;
    topics = new TopicNames(own + ".r", own + ".w", own + ".l", own + ".d");
    new TopicAdmin(admin, topics).createMissing();
  }

  final DeadLetterTopic deadLetters() {
    return new DeadLetterTopic(kafka.bootstrapServers(), topics.deadLetters());
  }

  final RedriveRequest request(RecordFilter filter) {
    return request(filter, false, false, false);
  }

  final RedriveRequest request(
      RecordFilter filter, boolean force, boolean returned, boolean dryRun) {
    return new RedriveRequest(
        topics.deadLetters(),
        topics.readings(),
        Optional.of(topics.control()),
        Optional.of(topics.windows()),
        filter,
        Limits.DEFAULT,
        0,
        force,
        returned,
        dryRun);
  }

  final RedriveRequest forced() {
    return request(RecordFilter.ALL, true, false, false);
  }

  final RedriveRequest withReturned() {
    return request(RecordFilter.ALL, false, true, false);
  }

  final RedriveRequest dry() {
    return request(RecordFilter.ALL, false, false, true);
  }

  final RedriveReport run(RedriveRequest request) {
    return run(request, soFar -> {});
  }

  final RedriveReport run(RedriveRequest request, Consumer<RedriveReport> onProgress) {
    return redrive(request)
        .run(
            new RedriveListener() {
              @Override
              public void progress(RedriveReport soFar) {
                onProgress.accept(soFar);
              }

              @Override
              public void left(String what) {
                named.add(what);
              }

              @Override
              public boolean isStopped() {
                return false;
              }
            });
  }

  final Map<ResendOutcome, Long> outcomes(RedriveRequest request) {
    return run(request).records();
  }

  /** The records that were left by name. */
  final List<String> named = new ArrayList<>();

  /** Which gaps of partitions of the readings were accepted. */
  BiPredicate<Integer, Gap> lossAccepted = (partition, gap) -> false;

  boolean sure;

  /** Happens when the redrive has begun to read. */
  Runnable meanwhile = () -> {};

  private int readers;

  /** Which life runs in each partition. */
  Map<Integer, RunningLife> lives = DeadLetterTopic.lives();

  /** Those that run when the redrive asks again; null for the same. */
  Map<Integer, RunningLife> livesNow;

  final Redrive redrive(RedriveRequest request) {
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    Map<String, Object> reader =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "isolation.level",
            "read_committed",
            "max.poll.records",
            "10");
    ByteArraySerializer to = new ByteArraySerializer();
    return new Redrive(
        request,
        new Redrive.Clients(
            new TopicAdmin(admin, topics),
            () -> {
              if (++readers == 2) {
                meanwhile.run();
              }
              return reader(reader);
            },
            client,
            settings -> new KafkaProducer<>(settings, to, to),
            ValueFormat.BARE,
            Optional.empty(),
            lossAccepted,
            new Lives("weir", lives, sure, () -> livesNow == null ? lives : livesNow),
            application -> true),
        () -> NOW);
  }

  KafkaConsumer<byte[], byte[]> reader(Map<String, Object> settings) {
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  final List<ConsumerRecord<byte[], byte[]>> readings() {
    return Committed.afterTransactions(kafka.bootstrapServers(), List.of(topics.readings()));
  }

  final List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : readings()) {
      NaiveWeir.rows(ReadingBatch.parseFrom(record.value()))
          .forEach(row -> rows.add(row.getSensorId() + "=" + row.getValue()));
    }
    return rows;
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
