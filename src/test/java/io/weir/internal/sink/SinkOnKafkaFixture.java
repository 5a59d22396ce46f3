package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Queries;
import io.weir.internal.app.WeirConfig;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import io.weir.summary.LatestSummaryReader;
import io.weir.summary.WindowKey;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A Kafka and a PostgreSQL; each test has topics, tables and sinks of its own. */
abstract class SinkOnKafkaFixture {
  static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static EmbeddedKafka kafka;
  static EmbeddedPostgres postgres;
  static Map<String, Object> client;
  private static int tests;

  private final String own = "test" + ++tests;
  final String windows = own + ".windows";
  final String status = own + ".status";
  final List<Sink> sinks = new ArrayList<>();
  private Queries queries;

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
    queries = new Queries(url());
    execute("create schema " + own);
    SinkSchema.init(config().sink());
  }

  @AfterEach
  void close() throws SQLException {
    sinks.forEach(Sink::close);
    queries.close();
  }

  String url() {
    return postgres.jdbcUrl() + "&currentSchema=" + own;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  Sink start() {
    Sink sink = Sink.start(config(), false);
    sinks.add(sink);
    return sink;
  }

  WeirConfig config() {
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

  void makeTopic() {
    try (Admin admin = Admin.create(client)) {
      TopicNames names = TopicNames.DEFAULT.with(Topic.WINDOWS, windows).with(Topic.STATUS, status);
      new TopicAdmin(admin, names).createMissing();
    }
  }

  KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> settings = new HashMap<>(client);
    settings.put("max.in.flight.requests.per.connection", 1);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  void produce(KafkaProducer<byte[], byte[]> producer, Random random, int windows) {
    for (int i = 0; i < windows; i++) {
      String sensor = "s-" + random.nextInt(100);
      send(producer, RandomSummaries.next(random, sensor, random.nextInt(5) * 10_000L, i));
    }
    producer.flush();
  }

  void send(KafkaProducer<byte[], byte[]> producer, WindowSummary window) {
    int partition = SensorPartition.of(window.getSensorId());
    producer.send(new ProducerRecord<>(windows, partition, null, window.toByteArray()));
  }

  Map<WindowKey, WindowSummary> latest() {
    Map<WindowKey, WindowSummary> latest = new HashMap<>();
    try (LatestSummaryReader reader = LatestSummaryReader.open(client, windows)) {
      reader.forEachRemaining(
          window -> latest.put(WindowKey.of(window), SummaryTable.withoutHistogram(window)));
    }
    return latest;
  }

  /** Until every record of a topic is behind the offsets in the table. */
  void awaitAll(String topic) throws Exception {
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

  void await(String query, long expected) throws SQLException {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (query(query) != expected) {
      assertThat(System.nanoTime()).as("%s, seed %s", query, SEED).isLessThan(endNanos);
      for (Sink sink : sinks) {
        assertThat(sink.ended()).as(query).isNotDone();
      }
      Await.pause();
    }
  }

  long query(String sql) throws SQLException {
    return queries.number(sql);
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
