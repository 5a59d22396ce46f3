package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Queries;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.postgres.Database;
import io.weir.internal.wire.BatchEncoder;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;

/** An outbox in a schema of its own, topics of its own, and collectors between them. */
final class OutboxBed implements AutoCloseable {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final Duration LEASE = Duration.ofSeconds(3);

  private final EmbeddedKafka kafka;
  private final EmbeddedPostgres postgres;
  private final String name;
  private final TopicNames names;
  private final Map<String, String> settings = new HashMap<>();
  final List<Collector> collectors = new ArrayList<>();
  private final Queries queries;

  OutboxBed(EmbeddedKafka kafka, EmbeddedPostgres postgres, String name) throws SQLException {
    this.kafka = kafka;
    this.postgres = postgres;
    this.name = name;
    this.queries = new Queries(url());
    this.names =
        TopicNames.DEFAULT
            .with(Topic.READINGS, name + ".readings")
            .with(Topic.EVENTS, name + ".events")
            .with(Topic.SCHEDULED, name + ".scheduled");
    try (Admin admin = Admin.create(client())) {
      new TopicAdmin(admin, names).createMissing();
    }
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("collect.jdbc.url", url());
    settings.put("gateway.id", "db");
    settings.put("events", "true");
    settings.put("topic.readings", names.of(Topic.READINGS));
    settings.put("topic.events", names.of(Topic.EVENTS));
    settings.put("topic.scheduled", names.of(Topic.SCHEDULED));
    settings.put("collect.batch.timeout", "20ms");
    settings.put("collect.poll.interval", "100ms");
    settings.put("collect.batch.limit", "200");
    execute("create schema " + name);
    CollectSchema.init(config().collect(), true);
  }

  Map<String, Object> client() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  OutboxBed with(String key, String value) {
    settings.put(key, value);
    return this;
  }

  WeirConfig config() {
    return WeirConfig.of(new Properties(), Map.of(), settings);
  }

  /** The settings of its collectors. */
  Map<String, String> settings() {
    return settings;
  }

  /** What a process does that is killed between its commit and its first send. */
  void commitWithoutSending() throws Exception {
    WeirConfig config = config();
    Database database =
        new Database(CollectSchema.address(config.collect()), Database.Limits.of(LEASE));
    try (Connection connection = Session.open(database)) {
      Lease lease = new Lease("db", LEASE);
      assertThat(lease.acquire(connection)).isTrue();
      State state = lease.state();
      Selection selection =
          Selection.read(
              connection, new RowReader(new Outbox(256)), state.cursors(), 1_000, new Shares());
      Packing packing =
          new Packing(
              "db",
              state.bootId(),
              state.sequences(),
              new RowJudge(256, config.limits().maxRecordBytes(), true),
              config.limits(),
              new BatchEncoder());
      for (OutboxRow row : selection.rows()) {
        packing.add(row);
      }
      List<SentBatch> batches = packing.batches();
      lease.commit(
          connection,
          new State(state.bootId(), selection.cursors(), packing.sequences(), batches),
          Optional.empty());
      lease.release(connection);
    }
  }

  Collector start() {
    return start(LEASE);
  }

  Collector start(Duration lease) {
    Collector collector = Collector.start(config(), lease);
    collectors.add(collector);
    return collector;
  }

  String url() {
    return postgres.jdbcUrl() + "&currentSchema=" + name;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  /** What Weir counts of the topics. */
  Arrived arrived() {
    return Arrived.read(client(), names);
  }

  /** Inserts a reading, in a transaction of its own. */
  void insert(String sensor, long timestampMs, double value) throws SQLException {
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value) values ('%s', %d, %s)"
            .formatted(sensor, timestampMs, value));
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long query(String sql) throws SQLException {
    return queries.number(sql);
  }

  void await(String what, BooleanSupplier isSo) {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (!isSo.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(endNanos);
      for (Collector collector : collectors) {
        assertThat(collector.ended()).as(what).isNotDone();
      }
      Await.pause();
    }
  }

  /** Until the outbox is empty and nothing is in flight. */
  void awaitAllSent() {
    await(
        "all is sent",
        () -> {
          try {
            return query(
                    "select (select count(*) from weir_outbox)"
                        + " + (select coalesce(sum(length(in_flight)), 2) - 1 from weir_collector)")
                == 0;
          } catch (SQLException e) {
            return false;
          }
        });
  }

  @Override
  public void close() {
    collectors.forEach(Collector::close);
    try {
      queries.close();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
