package io.weir.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.WeirConfig;
import io.weir.dev.EmbeddedKafka;
import io.weir.dev.EmbeddedPostgres;
import io.weir.summary.LatestSummaryReader;
import io.weir.summary.WindowKey;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The sink between a real Kafka and a real PostgreSQL, with kills of all sorts; {@code
 * -Dweir.sink.kills=100} for more of them.
 */
@Timeout(1_800)
class SinkOnKafkaTest {
  private static final int KILLS = Integer.getInteger("weir.sink.kills", 5);
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static EmbeddedKafka kafka;
  private static EmbeddedPostgres postgres;
  private static Map<String, Object> client;
  private static int tests;

  private final String own = "test" + ++tests;
  private final String windows = own + ".windows";
  private final String status = own + ".status";
  private final List<Sink> sinks = new ArrayList<>();

  @BeforeAll
  static void startServers() {
    kafka = EmbeddedKafka.start();
    postgres = EmbeddedPostgres.start();
    client = Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  @AfterAll
  static void closeServers() {
    kafka.close();
    postgres.close();
  }

  @BeforeEach
  void makeTopicAndTables() throws SQLException {
    makeTopic();
    execute("create schema " + own);
    SinkSchema.init(config().sink());
  }

  @AfterEach
  void close() {
    sinks.forEach(Sink::close);
  }

  @Test
  void table_isWhatTheTopicSaysLast_whateverIsKilled() throws Exception {
    Random random = new Random(SEED);
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      start();
      start();
      for (int kill = 0; kill < KILLS; kill++) {
        produce(producer, random, 20);
        kill(random, kill % 4);
        produce(producer, random, 20);
      }
    }
    awaitAll(windows);

    try (Connection connection = connect()) {
      Map<WindowKey, WindowSummary> found = SummaryTable.read(connection, "weir_windows");
      assertThat(found).as("seed %s", SEED).isEqualTo(latest());
      assertThat(found).hasSizeGreaterThan(100);
    }
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  @Test
  void status_isWhatTheTopicSaysLast_whateverIsKilled() throws Exception {
    Random random = new Random(SEED);
    Map<String, SensorStatus> expected = new TreeMap<>();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      start();
      for (int kill = 0; kill < KILLS; kill++) {
        produceStatus(producer, random, expected);
        kill(random, kill % 4);
        produceStatus(producer, random, expected);
      }
    }
    awaitAll(status);

    try (Connection connection = connect()) {
      assertThat(StatusTable.read(connection)).as("seed %s", SEED).isEqualTo(expected);
    }
    assertThat(expected).isNotEmpty();
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  /** As PostgreSQL says it: SQLSTATE 53100, until somebody makes room. */
  @Test
  void fullDisk_isWaitedFor_andNothingIsLost() throws Exception {
    Random random = new Random(SEED);
    Sink sink = start();
    execute(
        "create function no_room() returns trigger language plpgsql as $$ begin"
            + " raise exception 'could not extend file' using errcode = '53100'; end $$");
    execute(
        "create trigger full_disk before insert on weir_windows"
            + " for each statement execute function no_room()");
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      produce(producer, random, 50);
      awaitWaiting(sink, "SQLSTATE 53100");
      produce(producer, random, 50);
    }
    assertThat(query("select count(*) from weir_windows")).isZero();
    assertThat(query("select coalesce(sum(next_offset), 0) from weir_sink_offsets")).isZero();

    execute("drop trigger full_disk on weir_windows");
    awaitAll(windows);

    try (Connection connection = connect()) {
      assertThat(SummaryTable.read(connection, "weir_windows"))
          .as("seed %s", SEED)
          .isEqualTo(latest());
    }
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  /** While a batch waits for a lock the next one is read; a second sink takes a part of both. */
  @Test
  void batchThatFailsWhileTheNextIsRead_takesNothingOfItWithIt() throws Exception {
    Random random = new Random(SEED);
    start();
    try (KafkaProducer<byte[], byte[]> producer = producer();
        Connection other = connect();
        Statement lock = other.createStatement()) {
      produce(producer, random, 20);
      awaitAll(windows);
      for (boolean broken : new boolean[] {true, false}) {
        other.setAutoCommit(false);
        lock.execute("lock table weir_windows in exclusive mode");
        produce(producer, random, 50);
        await("select least(count(*), 1) from pg_locks where not granted", 1);
        for (int i = 0; i < 10; i++) {
          produce(producer, random, 30);
        }
        start();
        if (broken) {
          execute(
              "select pg_terminate_backend(pid) from pg_stat_activity"
                  + " where application_name = 'weir sink'");
        }
        other.rollback();
        produce(producer, random, 30);
        awaitAll(windows);
      }
    }

    try (Connection connection = connect()) {
      assertThat(SummaryTable.read(connection, "weir_windows"))
          .as("seed %s", SEED)
          .isEqualTo(latest());
    }
    assertThat(query("select count(*) from weir_sink_rejects")).isZero();
  }

  private static void awaitWaiting(Sink sink, String what) {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (!sink.describe().contains(what)) {
      assertThat(System.nanoTime()).as(sink.describe()).isLessThan(endNanos);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private void produceStatus(
      KafkaProducer<byte[], byte[]> producer, Random random, Map<String, SensorStatus> last) {
    for (int i = 0; i < 20; i++) {
      String sensor = "s-" + random.nextInt(25);
      boolean gone = random.nextInt(4) == 0;
      SensorStatus now = gone ? null : StatusTable.random(random, sensor);
      byte[] key = sensor.getBytes(StandardCharsets.UTF_8);
      byte[] value = gone ? null : now.toByteArray();
      producer.send(new ProducerRecord<>(status, SensorPartition.of(sensor), key, value));
      last.compute(sensor, (any, before) -> now);
    }
    producer.flush();
  }

  @Test
  void topicMadeAgain_isNewerThanTheOneBefore_alsoWhileItRuns() throws Exception {
    start();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int i = 0; i < 50; i++) {
        send(producer, RandomSummaries.next(new Random(i), "boiler", 0, 100 + i));
      }
      producer.flush();
    }
    await("select count(*) from weir_windows where revision = 149", 1);

    try (Admin admin = Admin.create(client)) {
      admin.deleteTopics(List.of(windows)).all().get();
    }
    makeTopic();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      send(producer, RandomSummaries.next(new Random(7), "boiler", 0, 3));
      producer.flush();
    }

    await("select count(*) from weir_windows where revision = 3 and topic_generation = 2", 1);
    assertThat(query("select count(*) from weir_windows")).isEqualTo(1);
  }

  @Test
  void recordsDeletedBeforeTheyAreWritten_endIt_unlessTheyAreToBeSkipped() throws Exception {
    TopicPartition partition = new TopicPartition(windows, SensorPartition.of("boiler"));
    Sink first = start();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      send(producer, RandomSummaries.next(new Random(1), "boiler", 0, 1));
      producer.flush();
      await("select count(*) from weir_windows", 1);
      first.close();
      for (int i = 0; i < 5; i++) {
        send(producer, RandomSummaries.next(new Random(i), "boiler", 0, 10 + i));
      }
      producer.flush();
    }
    try (Admin admin = Admin.create(client)) {
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(4))).all().get();
    }

    Optional<String> why = start().ended().get(2, TimeUnit.MINUTES);

    assertThat(why)
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .startsWith("offsets 1 to 3 of " + partition + " were deleted before")
                    .contains("weir sink --skip-lost"));
    sinks.clear();
    Sink again = Sink.start(config(), true);
    sinks.add(again);
    await("select count(*) from weir_windows where revision = 14", 1);
    assertThat(again.counters().lost()).isEqualTo(3);
  }

  /** As a replica that was promoted, and lacks the transactions that were committed last. */
  @Test
  void databaseThatFellBackWhileItRuns_isWrittenAgainFromItsOwnOffsets() throws Exception {
    start();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int i = 0; i < 20; i++) {
        send(producer, RandomSummaries.next(new Random(i), "boiler", i * 10_000L, 0));
      }
      producer.flush();
      await("select count(*) from weir_windows", 20);
      awaitAll(windows);
      execute(
          "begin; delete from weir_windows where kafka_offset >= 5;"
              + " update weir_sink_offsets set next_offset = 5 where next_offset = 20; commit;"
              + " select pg_terminate_backend(pid) from pg_stat_activity"
              + " where application_name = 'weir sink'");
      send(producer, RandomSummaries.next(new Random(20), "boiler", 200_000, 0));
      producer.flush();
    }
    awaitAll(windows);

    assertThat(query("select count(*) from weir_windows")).isEqualTo(21);
  }

  @Test
  void missingTables_endItWithALine() throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table weir_schema");
    }

    assertThat(start().ended().get(2, TimeUnit.MINUTES))
        .hasValueSatisfying(
            line -> assertThat(line).contains("weir_schema").contains("weir sink --init"));
  }

  private void kill(Random random, int kind) throws SQLException {
    switch (kind) {
      case 0 ->
          execute(
              "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'weir sink'");
      case 1 -> {
        sinks.remove(random.nextInt(sinks.size())).close();
        start();
      }
      case 2 -> {
        postgres.kill();
        postgres.restart();
      }
      default -> {
        sinks.remove(random.nextInt(sinks.size())).breakOff();
        start();
      }
    }
  }

  private String url() {
    return postgres.jdbcUrl() + "&currentSchema=" + own;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  private Sink start() {
    Sink sink = Sink.start(config(), false);
    sinks.add(sink);
    return sink;
  }

  private WeirConfig config() {
    return WeirConfig.of(
        new Properties(),
        Map.of("KAFKA_SESSION_TIMEOUT_MS", "6000", "KAFKA_HEARTBEAT_INTERVAL_MS", "500"),
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "sink.jdbc.url",
            url(),
            "topic.windows",
            windows,
            "status",
            "true",
            "topic.status",
            status,
            "application.id",
            own,
            "sink.flush.interval",
            "20ms",
            "sink.batch.rows",
            "50"));
  }

  private void makeTopic() {
    try (Admin admin = Admin.create(client)) {
      TopicNames names = TopicNames.DEFAULT.with(Topic.WINDOWS, windows).with(Topic.STATUS, status);
      new TopicAdmin(admin, names).createMissing();
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> settings = new HashMap<>(client);
    settings.put("max.in.flight.requests.per.connection", 1);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private void produce(KafkaProducer<byte[], byte[]> producer, Random random, int windows) {
    for (int i = 0; i < windows; i++) {
      String sensor = "s-" + random.nextInt(100);
      send(producer, RandomSummaries.next(random, sensor, random.nextInt(5) * 10_000L, i));
    }
    producer.flush();
  }

  private void send(KafkaProducer<byte[], byte[]> producer, WindowSummary window) {
    int partition = SensorPartition.of(window.getSensorId());
    producer.send(new ProducerRecord<>(windows, partition, null, window.toByteArray()));
  }

  private Map<WindowKey, WindowSummary> latest() {
    Map<WindowKey, WindowSummary> latest = new HashMap<>();
    try (LatestSummaryReader reader = LatestSummaryReader.open(client, windows)) {
      reader.forEachRemaining(
          window -> latest.put(WindowKey.of(window), SummaryTable.withoutHistogram(window)));
    }
    return latest;
  }

  /** Until every record of a topic is behind the offsets in the table. */
  private void awaitAll(String topic) throws Exception {
    long records = 0;
    try (Admin admin = Admin.create(client)) {
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
      }
      for (var end : admin.listOffsets(ends).all().get().values()) {
        records += end.offset();
      }
    }
    await("select sum(next_offset) from weir_sink_offsets where name = '" + topic + "'", records);
  }

  private void await(String query, long expected) throws SQLException {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (query(query) != expected) {
      assertThat(System.nanoTime()).as("%s, seed %s", query, SEED).isLessThan(endNanos);
      for (Sink sink : sinks) {
        assertThat(sink.ended()).as(query).isNotDone();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private long query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
