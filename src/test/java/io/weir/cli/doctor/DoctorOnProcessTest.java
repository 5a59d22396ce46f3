package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.cli.pages.Processes;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.ops.ApplicationMeters;
import io.weir.internal.ops.HotPage;
import io.weir.internal.ops.Meters;
import io.weir.internal.ops.ServiceProcess;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.chaos.WrongClock;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each trouble that a process of {@code weir run} reports, made with one that runs on a broker, by
 * what gateways send and by the broker's clock. A full heap is not among them: it takes more memory
 * than tests have, and {@link DoctorOnKafkaTest} has a page with one.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(240)
class DoctorOnProcessTest {
  private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();

  /** The broker's clock begins behind, so that minutes can pass without being in the future. */
  private static final long BEHIND_MS = -30 * MINUTE_MS;

  @TempDir private static Path dir;
  private static final WrongClock CLOCK = new WrongClock();
  private static final HotBoard BOARD = new HotBoard();
  private static EmbeddedKafka kafka;
  private static Admin admin;
  private static KafkaProducer<byte[], byte[]> producer;
  private static WeirConfig config;
  private static ServiceProcess process;
  private static CompletableFuture<Void> running;
  private static long clockMs = BEHIND_MS;

  @BeforeAll
  static void start() throws Exception {
    CLOCK.wrongBy(clockMs);
    kafka = EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT, CLOCK);
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    admin = Admin.create(client);
    producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    Properties settings = new Properties();
    settings.setProperty("weir.bootstrap.servers", kafka.bootstrapServers());
    settings.setProperty("weir.http.port", Integer.toString(freePort()));
    settings.setProperty("weir.threads", "1");
    settings.setProperty("weir.window.size", "1s");
    settings.setProperty("weir.window.grace", "0s");
    settings.setProperty("weir.max.sensors", "10");
    settings.setProperty("weir.idle.timeout", "5m"); // Or the minutes below are not whole.
    settings.setProperty("weir.state.dir", dir.resolve("state").toString());
    config = WeirConfig.of(settings, Map.of(), Map.of());
    new TopicAdmin(admin, config.topics()).createMissing();
    process = ServiceProcess.open(config, Map.of(HotPage.PATH, new HotPage(BOARD)));
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    process.stop();
    if (running != null) {
      running.exceptionally(failure -> null).join();
    }
    process.close();
    producer.close();
    admin.close();
    kafka.close();
  }

  @Test
  @Order(1)
  void processThatWaitsForItsStart_isNotReady_andNothingElseIsWrongWithOneThatRuns() {
    assertThat(new ProcessCheck().look(examine()))
        .extracting(Finding::what)
        .containsExactly("127.0.0.1:" + config.http().port() + " is not ready");

    IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "many-" + i)
        .filter(sensor -> SensorPartition.of(sensor) == 17)
        .limit(9)
        .forEach(sensor -> sendBatch("", 0, 0, readings(sensor, 1)));
    running = CompletableFuture.runAsync(DoctorOnProcessTest::runWeir);
    List<Finding> findings;
    do {
      Await.longPause();
      findings = Doctor.withAll(System::currentTimeMillis).examine(examine()).findings();
    } while (!findings.stream().allMatch(finding -> finding.check().equals("limits")));
  }

  private static void runWeir() {
    Meters meters = new Meters(process.registry(), BOARD);
    process.beforeScrape(meters::refresh);
    process.run(
        () -> WeirApplication.start(config, meters),
        started -> new ApplicationMeters(started, process.registry()));
  }

  /** Of what is read at the start, as how full a partition is comes out each half a minute. */
  @Test
  @Order(2)
  void sensorsThatNearlyReachTheLimitOfAPartition_areFound() {
    await(new LimitsCheck(), "90 % of {cap=\"max_sensors\"} is used");
  }

  @Test
  @Order(3)
  void batchesThatAGatewaySkipped_areMissing_andAfterMoreStartsGoneForGood() {
    sendBatch("line-7", 1, 1, readings("s-1", 1));
    sendBatch("line-7", 1, 4, readings("s-1", 1));
    sendBatch("line-8", 1, 3, readings("s-1", 1));
    await(new GapsCheck(), "batches are missing: ", "line-7\"} 2", "line-8\"} 2");

    for (long boot = 2; boot <= 5; boot++) {
      sendBatch("line-8", boot, 1, readings("s-1", 1));
    }
    await(new GapsCheck(), "2 batches were lost, in the ", "since the start");
  }

  @Test
  @Order(4)
  void deadLetters_ofGatewaysThatAreWrong_areNamedWithTheirGateway() {
    sendBatch("line-8", 1, 9, readings("s-1", 1));
    sendBatch("line-9", 1, 1, Stream.of(reading("s-2", nowMs() + 60 * MINUTE_MS)));
    producer.send(new ProducerRecord<>("weir.readings", 3, null, new byte[] {1, 2, 3}));

    DeadLettersCheck letters = new DeadLettersCheck(System::currentTimeMillis);
    await(letters, "1 dead letters FENCED of weir.readings in the last hour, by gateway: line-8 1");
    await(
        letters,
        "1 dead letters FUTURE_TIMESTAMP of weir.readings in the last hour, by gateway: line-9 1");
    await(letters, "1 dead letters UNDECODABLE of weir.readings in the last hour");
  }

  @Test
  @Order(5)
  void twoProcessesWithOneGatewayId_areNamed() {
    for (int sequence = 1; sequence <= 4; sequence++) {
      sendBatch("line-4", 100, sequence, readings("s-1", 1));
      sendBatch("line-4", 200, sequence, readings("s-1", 1));
    }

    await(new GatewayIdsCheck(), "under one gateway id: line-4");
  }

  @Test
  @Order(6)
  void manyLateReadings_areFound() {
    sendBatch("line-1", 1, 1, Stream.of(reading("s-3", nowMs())));
    sendBatch(
        "line-1",
        1,
        2,
        readings("s-3", 50).map(r -> r.toBuilder().setTimestampMs(nowMs() - 20_000).build()));

    await(new ProcessCheck(), "% of the readings in the ", " were late");
  }

  @Test
  @Order(7)
  void sensorThatGivesMostOfAMinute_isHot() {
    for (int minute = 0; minute < 3; minute++) {
      for (int batch = 0; minute == 1 && batch < 6; batch++) {
        sendBatch("", 0, 0, readings("vib-1", 1_000));
      }
      for (int other = 1; other <= 8; other++) {
        sendBatch("", 0, 0, readings("s-" + other, 500));
      }
      sendBatch("", 0, 0, readings("vib-1", 1));
      pass(MINUTE_MS);
    }

    await(new HotCheck(), "sensor vib-1 sends 60 % of all readings");
  }

  @Test
  @Order(8)
  void clocksOfBrokersThatAreAhead_andGoBack_areFound() {
    ClockCheck clocks = new ClockCheck(System::currentTimeMillis);
    for (int turn = 0; turn < 2; turn++) {
      pass(60 * MINUTE_MS);
      sendToAll();
      await(clocks, "ahead of this machine's clock");
      pass(-60 * MINUTE_MS);
      sendToAll();
    }

    await(clocks, "append times went back 128 times, in the ");
  }

  /** Last: it ends the process if it takes long. */
  @Test
  @Order(9)
  void threadThatDied_isFound() throws Exception {
    set("weir.late", "max.message.bytes", "1");
    sendBatch(
        "line-1",
        1,
        3,
        readings("s-3", 1)
            .map(r -> r.toBuilder().setTimestampMs(nowMs() - 90 * MINUTE_MS).build()));

    await(new ProcessCheck(), " threads died, in the ", " since the start");
    set("weir.late", "max.message.bytes", "1048588");
  }

  private static void pass(long ms) {
    clockMs += ms;
    CLOCK.wrongBy(clockMs);
  }

  /** By the broker's clock. */
  private static long nowMs() {
    return System.currentTimeMillis() + clockMs;
  }

  private static Reading reading(String sensor, long timestampMs) {
    return Reading.newBuilder().setSensorId(sensor).setTimestampMs(timestampMs).build();
  }

  private static Stream<Reading> readings(String sensor, int count) {
    long nowMs = nowMs();
    return IntStream.range(0, count).mapToObj(i -> reading(sensor, nowMs));
  }

  /** To the partition of its first sensor, and waits until it is there. */
  private static void sendBatch(
      String gateway, long boot, long sequence, Stream<Reading> readings) {
    ReadingBatch batch =
        ReadingBatch.newBuilder()
            .setGatewayId(gateway)
            .setBootId(boot)
            .setSequence(sequence)
            .addAllReadings(readings.toList())
            .build();
    send(SensorPartition.of(batch.getReadings(0).getSensorId()), batch.toByteArray());
  }

  private static void sendToAll() {
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      ReadingBatch batch = ReadingBatch.newBuilder().build();
      send(partition, batch.toByteArray());
    }
    producer.flush();
  }

  private static void send(int partition, byte[] value) {
    producer.send(new ProducerRecord<>("weir.readings", partition, null, value));
    producer.flush();
  }

  private static void set(String topic, String key, String value) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  /** Looks until the check has a finding with these words. */
  private static void await(Check check, String... words) {
    List<String> found = new ArrayList<>();
    while (found.stream().noneMatch(what -> Stream.of(words).allMatch(what::contains))) {
      assertThat(running).as("process of weir run").isNotDone();
      found.clear();
      check.look(examine()).forEach(finding -> found.add(finding.what()));
    }
  }

  private static Examination examine() {
    Processes asked = new Processes(List.of("http://127.0.0.1:" + config.http().port()));
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "enable.auto.commit",
            "false",
            "isolation.level",
            "read_committed");
    return Examination.of(
        admin,
        config,
        () -> {},
        () ->
            new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
        () -> Pages.ask(asked));
  }
}
