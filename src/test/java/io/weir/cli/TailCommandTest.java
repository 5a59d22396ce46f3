package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.JsonFields;
import io.weir.lab.Commits;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TailCommandTest {
  private static final String AMENDED = "amended.windows";

  private static final String AGED = "aged.windows";

  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      NewTopic aged = new NewTopic(AGED, 64, (short) 1).configs(Map.of("retention.ms", "-1"));
      admin.createTopics(List.of(new NewTopic(AMENDED, 64, (short) 1), aged)).all().get();
    }
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "test");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      send(producer, "undone");
      producer.abortTransaction();
      send(producer, "kept");
      producer.commitTransaction();
      producer.beginTransaction();
      sendAmended(producer, "a, b");
      sendAmended(producer, "c");
      producer.send(new ProducerRecord<>(AMENDED, SensorPartition.of("c"), null, new byte[] {1}));
      sendAged(producer);
      producer.commitTransaction();
      Commits.awaitCompleted(kafka, "test");
    }
  }

  /** One record of a sensor, fifty newer ones of another in its partition, one elsewhere. */
  private static void sendAged(KafkaProducer<byte[], byte[]> producer) {
    int partition = SensorPartition.of("c");
    int elsewhere = (partition + 1) % SensorPartition.COUNT;
    producer.send(new ProducerRecord<>(AGED, partition, 1_000L, null, summary("c")));
    for (long time = 2_000; time < 52_000; time += 1_000) {
      producer.send(new ProducerRecord<>(AGED, partition, time, null, summary("other")));
    }
    producer.send(new ProducerRecord<>(AGED, elsewhere, 50_500L, null, summary("elsewhere")));
  }

  /** A second window, then the first in two revisions. */
  private static void sendAmended(KafkaProducer<byte[], byte[]> producer, String sensor) {
    for (WindowSummary summary :
        List.of(window(sensor, 10_000, 0, 5), window(sensor, 0, 0, 1), window(sensor, 0, 1, 2))) {
      int partition = SensorPartition.of(sensor);
      producer.send(new ProducerRecord<>(AMENDED, partition, null, summary.toByteArray()));
    }
  }

  private static WindowSummary window(String sensor, long startMs, int revision, double value) {
    return WindowSummary.newBuilder()
        .setSensorId(sensor)
        .setWindowStartMs(startMs)
        .setWindowEndMs(startMs + 10_000)
        .setCount(1)
        .setSum(value)
        .setMin(value)
        .setMax(value)
        .setRevision(revision)
        .setBadCount(3)
        .build();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void tail_toTheEnd_showsWhatWasCommittedAlone() throws Exception {
    WeirProcess.Ended ended = tail("windows", "--from-beginning", "--no-follow");
    assertThat(ended.lines())
        .hasSize(64)
        .allSatisfy(line -> assertThat(line).startsWith("{\"sensor_id\":\"kept\","))
        .anySatisfy(
            line ->
                assertThat(line)
                    .endsWith("\"topic\":\"weir.windows\",\"partition\":63,\"offset\":2}"));
    assertThat(ended.err()).isEmpty();
    assertThat(ended.status()).isZero();
  }

  @Test
  void tail_ofSoMany_endsAfterThem() throws Exception {
    assertThat(tail("windows", "--from-beginning", "-n", "3").lines()).hasSize(3);
  }

  @Test
  void tail_ofSoMany_isTheNewest_inTheOrderOfTime_andEnds() throws Exception {
    assertThat(tailAged("-n", "3").lines())
        .extracting(TailCommandTest::sensorAndOffset)
        .containsExactly("other 49", "elsewhere 0", "other 50");
    assertThat(tailAged("-n", "1000").lines()).hasSize(52);
    assertThat(tail("late", "-n", "3")).isEqualTo(new WeirProcess.Ended(0, "", ""));
  }

  @Test
  void tail_ofTheNewestOfASensor_findsItBehindManyOthers() throws Exception {
    assertThat(tailAged("-n", "2", "--sensor", "c").lines())
        .extracting(TailCommandTest::sensorAndOffset)
        .containsExactly("c 0");
  }

  @Test
  void tail_since_startsAtThatTime() throws Exception {
    assertThat(tailAged("--since", "1970-01-01T00:00:50.5Z", "--no-follow").lines())
        .extracting(TailCommandTest::sensorAndOffset)
        .containsExactlyInAnyOrder("elsewhere 0", "other 50");
    assertThat(tailAged("--since", "1970-01-01T00:00:50.5Z", "-n", "1").lines())
        .extracting(TailCommandTest::sensorAndOffset)
        .containsExactly("other 50");
    assertThat(tailAged("--since", "1h", "--no-follow"))
        .isEqualTo(new WeirProcess.Ended(0, "", ""));
  }

  @Test
  void tail_latestOfSoMany_isTheNewestWindows() throws Exception {
    assertThat(tailAmended("--sensor", "c", "--latest", "-n", "1").lines())
        .singleElement()
        .satisfies(line -> assertThat(line).contains("\"window_start_ms\":10000,"));
  }

  private static String sensorAndOffset(String line) {
    try {
      Map<String, String> fields = JsonFields.of(line);
      return fields.get("/sensor_id") + " " + fields.get("/offset");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static WeirProcess.Ended tailAged(String... options) throws Exception {
    return tail(
        Stream.concat(Stream.of("windows", "--topic-windows", AGED), Stream.of(options))
            .toArray(String[]::new));
  }

  @Test
  void tail_ofAnEmptyTopicToTheEnd_saysNothing() throws Exception {
    assertThat(tail("late", "--from-beginning", "--no-follow"))
        .isEqualTo(new WeirProcess.Ended(0, "", ""));
  }

  @Test
  void tail_ofNoTopic_saysWhatToDo() throws Exception {
    WeirProcess.Ended ended = tail("windows", "--topic-windows", "elsewhere");
    assertThat(ended.err())
        .isEqualTo("weir tail: no topic elsewhere on the cluster; create it with: weir topics\n");
    assertThat(ended.status()).isEqualTo(1);
  }

  @Test
  void tail_ofASensor_readsItsPartitionAlone() throws Exception {
    List<String> lines = tailAmended("--sensor", "c", "--from-beginning", "--no-follow").lines();

    assertThat(lines)
        .hasSize(3)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("{\"sensor_id\":\"c\",")
                    .contains("\"partition\":" + SensorPartition.of("c") + ","));
  }

  @Test
  void tail_latest_showsEachWindowOnce_bySensorAndTime() throws Exception {
    WeirProcess.Ended ended = tailAmended("--latest", "--csv", "--time-zone", "Europe/Berlin");

    assertThat(ended.out())
        .isEqualTo(
            """
            sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision,bad_count,window_start,window_end
            "a, b",0,10000,1,2.0,2.0,2.0,1,3,1970-01-01T01:00:00+01:00,1970-01-01T01:00:10+01:00
            "a, b",10000,20000,1,5.0,5.0,5.0,0,3,1970-01-01T01:00:10+01:00,1970-01-01T01:00:20+01:00
            c,0,10000,1,2.0,2.0,2.0,1,3,1970-01-01T01:00:00+01:00,1970-01-01T01:00:10+01:00
            c,10000,20000,1,5.0,5.0,5.0,0,3,1970-01-01T01:00:10+01:00,1970-01-01T01:00:20+01:00
            """);
    assertThat(ended.status()).isZero();
  }

  @Test
  void tail_asCsv_saysHowManyRecordsAreNoWindows() throws Exception {
    WeirProcess.Ended ended = tailAmended("--csv", "--from-beginning", "--no-follow");

    assertThat(ended.lines()).hasSize(1 + 6);
    assertThat(ended.err()).isEqualTo("1 record is not a window: print it without --csv\n");
  }

  @Test
  void tail_withAZone_showsTimesAsTextToo() throws Exception {
    List<String> lines = tailAmended("--sensor", "c", "--latest", "--time-zone", "UTC").lines();

    assertThat(lines.get(0))
        .contains("\"window_start_ms\":0,\"window_start\":\"1970-01-01T00:00:00Z\",")
        .contains("\"window_end_ms\":10000,\"window_end\":\"1970-01-01T00:00:10Z\",");
  }

  @Test
  void tail_latestOfWhatHasNoWindows_isWrongUsage() throws Exception {
    WeirProcess.Ended ended = tail("late", "--latest");
    assertThat(ended.err())
        .isEqualTo(
            "weir tail: --latest: expected: with windows, rollups or hopping (see weir tail --help)\n");
    assertThat(ended.status()).isEqualTo(2);
  }

  private static WeirProcess.Ended tailAmended(String... options) throws Exception {
    return tail(
        Stream.concat(Stream.of("windows", "--topic-windows", AMENDED), Stream.of(options))
            .toArray(String[]::new));
  }

  @Test
  void tail_whoseReaderLeaves_endsQuietlyAndWell() throws Exception {
    Process tail = startTail("windows", "--from-beginning");
    tail.getInputStream().read();
    tail.getInputStream().close();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      while (tail.isAlive()) {
        producer.send(new ProducerRecord<>("weir.windows", 0, null, summary("kept"))).get();
      }
    }
    assertThat(tail.exitValue()).isZero();
    assertThat(tail.getErrorStream().readAllBytes()).isEmpty();
  }

  @Test
  void tail_onSigterm_endsWell() throws Exception {
    Process tail = startTail("windows", "--from-beginning");
    tail.getInputStream().read();
    tail.toHandle().destroy(); // Unlike tail.destroy() it leaves the streams open.
    assertThat(WeirProcess.ended(tail).status()).isZero();
  }

  private static WeirProcess.Ended tail(String... arguments) throws Exception {
    return CommandHost.shared().run(words(arguments));
  }

  private static Process startTail(String... arguments) throws Exception {
    return WeirProcess.start(words(arguments));
  }

  private static String[] words(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "tail";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "--bootstrap-servers";
    all[all.length - 1] = kafka.bootstrapServers();
    return all;
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String sensor) {
    producer.beginTransaction();
    for (int partition = 0; partition < 64; partition++) {
      producer.send(new ProducerRecord<>("weir.windows", partition, null, summary(sensor)));
    }
    producer.flush();
  }

  private static byte[] summary(String sensor) {
    return WindowSummary.newBuilder().setSensorId(sensor).build().toByteArray();
  }
}
