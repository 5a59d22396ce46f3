package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.registry.FakeRegistry;
import io.weir.internal.registry.Schema;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.Fnv1a;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandTest {
  private static final int RECORDS = 60_000;

  private EmbeddedKafka kafka;
  private Admin admin;
  private Committed readings;
  private Committed deadLetters;
  private final List<Double> values = new ArrayList<>();
  private final List<String> letters = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    kafka = EmbeddedKafka.start();
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    readings = new Committed(kafka.bootstrapServers(), List.of("weir.readings"));
    deadLetters = new Committed(kafka.bootstrapServers(), List.of("weir.dead-letters"));
    create(3);
  }

  @AfterEach
  void stop() throws Exception {
    CommandHost.shared().stop();
    readings.close();
    deadLetters.close();
    admin.close();
    kafka.close();
  }

  private void create(int partitions) throws Exception {
    admin.createTopics(List.of(new NewTopic("raw", partitions, (short) 1))).all().get();
    Await.until(() -> admin.listTopics().names().get().contains("raw"));
  }

  @Test
  void killedBetweenBatches_eachReadingOnce_letterWithItsOrigin_abortedOnesNever()
      throws Exception {
    send(false, 0, RECORDS);
    send(true, RECORDS, 500);
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      producer.send(new ProducerRecord<>("raw", 0, "t", null));
      producer.send(new ProducerRecord<>("raw", 1, "p", "{\"value\":"));
      producer.send(new ProducerRecord<>("raw", 2, "half", "[{\"value\":1},{\"value\":\"x\"}]"));
    }
    Process killed = run("0");
    Await.until(() -> !values().isEmpty());
    killed.destroyForcibly().waitFor();
    assertThat(values()).hasSizeLessThan(RECORDS + 1);

    Process first = run("0");
    Process second = run("1");
    Await.until(() -> values().size() >= RECORDS + 1 && letters().size() >= 2);
    send(false, RECORDS, 10);
    Await.until(() -> values().size() >= RECORDS + 11);
    assertThat(stopped(first) + stopped(second)).isGreaterThan(0);

    assertThat(values()).hasSize(RECORDS + 11).doesNotHaveDuplicates();
    assertThat(letters())
        .containsExactlyInAnyOrder("MALFORMED_RECORD raw 1 all", "NON_NUMERIC raw 2 1");
  }

  @Test
  void topicMadeAgain_andPartitionsAdded_areReadFromTheirBeginning() throws Exception {
    send(false, 0, 30);
    CompletableFuture<WeirProcess.Ended> before = importing("--from", "earliest");
    Await.until(() -> values().size() >= 30);
    stopped(before);
    admin.deleteTopics(List.of("raw")).all().get();
    Await.until(() -> !admin.listTopics().names().get().contains("raw"));
    create(1);
    send(false, 100, 20);
    CompletableFuture<WeirProcess.Ended> again = importing("--from", "latest");
    Await.until(() -> values().size() >= 50);
    stopped(again);
    admin.createPartitions(Map.of("raw", NewPartitions.increaseTo(2))).all().get();
    Await.until(
        () ->
            admin
                    .describeTopics(List.of("raw"))
                    .allTopicNames()
                    .get()
                    .get("raw")
                    .partitions()
                    .size()
                == 2);
    send(false, 200, 40);
    CompletableFuture<WeirProcess.Ended> grown = importing("--from", "latest");
    Await.until(() -> values().size() >= 90);
    stopped(grown);
    assertThat(values()).hasSize(90).doesNotHaveDuplicates();
  }

  @Test
  void groupWasForgotten_goesOnFromTheProgress() throws Exception {
    send(false, 0, 30);
    CompletableFuture<WeirProcess.Ended> before = importing();
    Await.until(() -> values().size() >= 30);
    stopped(before);
    admin.deleteConsumerGroups(List.of("weir-import-t")).all().get();
    send(false, 30, 30);
    CompletableFuture<WeirProcess.Ended> after = importing();
    Await.until(() -> values().size() >= 60);
    stopped(after);
    assertThat(values()).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void recordsDeletedUnread_areRefusedInOneLine() throws Exception {
    send(false, 0, 30);
    CompletableFuture<WeirProcess.Ended> before = importing();
    Await.until(() -> values().size() >= 30);
    stopped(before);
    send(false, 30, 30);
    admin
        .deleteRecords(Map.of(new TopicPartition("raw", 1), RecordsToDelete.beforeOffset(15)))
        .all()
        .get();
    WeirProcess.Ended refused = toTheEnd();
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .contains(
            "raw-1: 5 records were deleted",
            "weir accept-loss weir-import-t --topic raw --partition 1");
    WeirProcess.Ended accepted =
        CommandHost.shared()
            .run(
                "accept-loss",
                "weir-import-t",
                "--topic",
                "raw",
                "--partition",
                "1",
                "--yes",
                "--bootstrap-servers",
                kafka.bootstrapServers());
    assertThat(accepted.out()).startsWith("weir-import-t\traw\t1\t");
    CompletableFuture<WeirProcess.Ended> after = importing();
    Await.until(() -> values().size() >= 55);
    stopped(after);
    assertThat(values()).hasSize(55).doesNotHaveDuplicates();
  }

  @Test
  void signingKey_signsAsAGatewayOfItsOwn(@TempDir Path dir) throws Exception {
    Path master = file(dir, "master", "new");
    Path key = file(dir, "key", "gateway", "import/t/0", "--signing-keys-file", master.toString());
    send(false, 0, 30);
    CompletableFuture<WeirProcess.Ended> signing = importing("--signing-key-file", key.toString());
    Await.until(() -> !batches().isEmpty());
    stopped(signing);
    assertThat(Committed.of(kafka.bootstrapServers(), List.of("weir.readings")))
        .allMatch(record -> record.headers().lastHeader("weir.signature") != null);
    assertThat(batches())
        .allSatisfy(
            batch -> {
              assertThat(batch.getGatewayId()).isEqualTo("import/t/0");
              assertThat(batch.getBootId()).isPositive();
              assertThat(batch.getSequence()).isPositive();
            });
  }

  @Test
  void ordered_attestsInSequencesOfItsOwnGateway() throws Exception {
    send(false, 0, 30);
    CompletableFuture<WeirProcess.Ended> ordered = importing("--ordered");
    Await.until(() -> !batches().isEmpty());
    stopped(ordered);
    assertThat(batches())
        .allSatisfy(
            batch -> {
              assertThat(batch.getOrdered()).isTrue();
              assertThat(batch.getGatewayId()).isEqualTo("import/t/0");
              assertThat(batch.getBootId()).isPositive();
              assertThat(batch.getSequence()).isPositive();
            });
  }

  @Test
  void avro_waitsForItsRegistry_unknownSchemaIsADeadLetter() throws Exception {
    String text =
        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"v\",\"type\":\"double\"}]}";
    try (FakeRegistry registry = FakeRegistry.start();
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      int id = registry.schemas().register("raw-value", new Schema("AVRO", text, List.of()));
      for (int i = 0; i < 10; i++) {
        producer.send(new ProducerRecord<>("raw", 0, new byte[] {'s'}, framed(id, i)));
        producer.send(new ProducerRecord<>("raw", 0, new byte[] {'s'}, framed(99, i)));
      }
      producer.flush();
      registry.refuse(true);
      CompletableFuture<WeirProcess.Ended> waiting =
          importing("--format", "avro", "--registry", registry.url(), "--json-value", "$.v");
      Await.until(() -> registry.refused().size() >= 2);
      assertThat(values()).isEmpty();
      assertThat(letters()).isEmpty();
      registry.refuse(false);
      Await.until(() -> values().size() >= 10 && letters().size() >= 10);
      stopped(waiting);
    }
    assertThat(values()).hasSize(10).doesNotHaveDuplicates();
    assertThat(letters()).hasSize(10).containsOnly("UNKNOWN_SCHEMA raw 0 all");
  }

  @Test
  void deadLetters_areTakenAgain_onceAndOnlyWhatWasRefused() throws Exception {
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      producer.send(new ProducerRecord<>("raw", 0, "n", "nonsense\n{\"value\":7}"));
      producer.send(new ProducerRecord<>("raw", 1, "h", "[{\"value\":1},{\"value\":\"on\"}]"));
      producer.send(new ProducerRecord<>("raw", 2, "s", "{\"value\":\"off\"}"));
      ProducerRecord<String, String> cut = new ProducerRecord<>("raw", 2, "c", "nonsense");
      cut.headers().add("h", new byte[9_000]);
      producer.send(cut);
    }
    CompletableFuture<WeirProcess.Ended> before = importing();
    Await.until(() -> letters().size() >= 4);
    stopped(before);
    WeirProcess.Ended mended = toTheEnd("--again", "--value-map", "on=20,off=30");
    assertThat(mended.out())
        .isEqualTo(
            "again: records 3 = mapped 2 + skipped 0 + refused 1; readings 2; incomplete dead"
                + " letters, passed over: 1\n");
    WeirProcess.Ended once = toTheEnd("--again", "--value-map", "on=20,off=30");
    assertThat(once.out())
        .isEqualTo("again: records 1 = mapped 0 + skipped 0 + refused 1; readings 0\n");
    assertThat(values()).containsExactlyInAnyOrder(1.0, 7.0, 20.0, 30.0);
    assertThat(letters()).hasSize(6);
  }

  @Test
  void numbers_keyedBySensor_withTheirOriginInAHeader() throws Exception {
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      producer.send(new ProducerRecord<>("raw", 1, "a", "2.5"));
      producer.send(new ProducerRecord<>("raw", 1, "a", "-3"));
    }
    CompletableFuture<WeirProcess.Ended> numbers = importing("--format", "number");
    Await.until(() -> values().size() >= 2);
    stopped(numbers);
    assertThat(values()).containsExactly(2.5, -3.0);
    assertThat(Committed.of(kafka.bootstrapServers(), List.of("weir.readings")))
        .extracting(record -> text(record, "weir.import.origin"))
        .allMatch(origin -> origin.matches("raw-1:[01]-[01]"));
  }

  private static byte[] framed(int id, double value) {
    return ByteBuffer.allocate(13)
        .put((byte) 0)
        .putInt(id)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putDouble(value)
        .array();
  }

  /** Every record's value is its number, so that each is known again. */
  private void send(boolean aborted, int from, int count) throws Exception {
    int partitions =
        admin.describeTopics(List.of("raw")).allTopicNames().get().get("raw").partitions().size();
    Map<String, Object> own = aborted ? Map.of("transactional.id", "foreign") : Map.of();
    try (KafkaProducer<String, String> producer = producer(own)) {
      if (aborted) {
        producer.initTransactions();
        producer.beginTransaction();
      }
      for (int i = from; i < from + count; i++) {
        String value = "{\"value\":" + (i + 10) + "}";
        producer.send(new ProducerRecord<>("raw", i % partitions, "s" + i % 100, value));
      }
      producer.flush();
      if (aborted) {
        producer.abortTransaction();
      }
    }
  }

  private KafkaProducer<String, String> producer(Map<String, Object> own) {
    Map<String, Object> settings = new HashMap<>(own);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private Process run(String instance, String... more) throws Exception {
    return WeirProcess.start(words(instance, more));
  }

  /** Starts one that no test kills. */
  private CompletableFuture<WeirProcess.Ended> importing(String... more) throws Exception {
    return CommandHost.shared().start(words("0", more));
  }

  /** Runs one that ends by itself. */
  private WeirProcess.Ended toTheEnd(String... more) throws Exception {
    return CommandHost.shared().run(words("0", more));
  }

  private String[] words(String instance, String... more) {
    List<String> all =
        new ArrayList<>(List.of("import", "raw", "--name", "t", "--instance", instance));
    all.addAll(List.of("--bootstrap-servers", kafka.bootstrapServers(), "--http-port", "0"));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }

  /** Stops a process and returns the number of records that it says it took. */
  private static long stopped(Process process) throws Exception {
    process.toHandle().destroy();
    return records(WeirProcess.ended(process));
  }

  private static void stopped(CompletableFuture<WeirProcess.Ended> importing) throws Exception {
    CommandHost.shared().stop();
    records(importing.get());
  }

  private static long records(WeirProcess.Ended ended) {
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out()).matches("import: records \\d+ = .*\n");
    return Long.parseLong(ended.out().split(" ")[2]);
  }

  /** All so far. */
  private List<Double> values() throws Exception {
    for (ConsumerRecord<byte[], byte[]> record : readings.upToNow()) {
      ReadingBatch batch = ReadingBatch.parseFrom(record.value());
      assertThat(batch.getGatewayId()).isEqualTo("import/t");
      for (Series series : batch.getSeriesList()) {
        int hash = Fnv1a.hash(series.getSensorId());
        assertThat(record.partition()).isEqualTo(SensorPartition.ofHash(hash));
        values.addAll(series.getValueList());
      }
    }
    return values;
  }

  private static Path file(Path dir, String name, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("key"));
    all.addAll(List.of(words));
    WeirProcess.Ended made = CommandHost.shared().run(all.toArray(String[]::new));
    return Files.writeString(dir.resolve(name), made.out());
  }

  private List<ReadingBatch> batches() throws Exception {
    List<ReadingBatch> batches = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record :
        Committed.of(kafka.bootstrapServers(), List.of("weir.readings"))) {
      batches.add(ReadingBatch.parseFrom(record.value()));
    }
    return batches;
  }

  /** All so far. */
  private List<String> letters() {
    for (ConsumerRecord<byte[], byte[]> record : deadLetters.upToNow()) {
      letters.add(
          text(record, "weir.reason")
              + " "
              + text(record, "__streams.errors.topic")
              + " "
              + text(record, "__streams.errors.partition")
              + " "
              + text(record, "weir.import.refused"));
    }
    return letters;
  }

  private static String text(ConsumerRecord<byte[], byte[]> record, String header) {
    return new String(record.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
  }
}
