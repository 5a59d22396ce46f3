package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.SinkSettings;
import io.weir.internal.postgres.Database;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** PostgreSQL with the sink's tables, and a partition whose records are written into them. */
abstract class SinkTablesFixture {
  static final String TOPIC = "weir.windows";
  static final TopicPartition PARTITION = new TopicPartition(TOPIC, 7);
  static final Uuid ID = Uuid.randomUuid();
  static final TableMapping WINDOWS = TableMapping.of(Topic.WINDOWS);
  static final long MS_A_DAY = Duration.ofDays(1).toMillis();

  /** As on the first day. */
  private static final String WITHOUT_DAYS =
      """
      do $$ declare name text; begin
        for name in select relname from pg_class where relkind = 'r' and relname ~ '^weir_.*_[0-9]{8}$'
        loop execute 'drop table ' || name; end loop;
        for name in select format('alter table %s drop constraint %s', conrelid::regclass, conname)
                      from pg_constraint where conname like 'weir\\_days\\_%'
        loop execute name; end loop;
      end $$""";

  private static EmbeddedPostgres postgres;

  /** A new one for each test, on empty tables. */
  Connection connection;

  /** Of the next record. */
  long offset;

  @BeforeAll
  static void start() throws SQLException {
    postgres = EmbeddedPostgres.start();
    SinkSchema.init(settings());
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @BeforeEach
  void open() throws SQLException {
    connection = database(Duration.ofSeconds(10)).open();
    execute(WITHOUT_DAYS);
    execute(
        "truncate weir_windows, weir_rollups, weir_sensors, weir_sink_offsets, weir_sink_generations, weir_sink_rejects, weir_sink_waiting");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  int revisionOf(String sensor) throws SQLException {
    List<String> found =
        strings("select revision::text from weir_windows where sensor_id = '" + sensor + "'");
    assertThat(found).hasSize(1);
    return Integer.parseInt(found.get(0));
  }

  List<String> strings(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> strings = new ArrayList<>();
      while (result.next()) {
        strings.add(result.getString(1));
      }
      return strings;
    } finally {
      connection.commit();
    }
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      connection.commit();
    }
  }

  List<Reject> write(Batch batch) throws Exception {
    List<Reject> rejects =
        List.copyOf(
            new BatchWriter(connection)
                .write(batch, List.of(takeOver(ID)), () -> true)
                .orElseThrow());
    batch.clear();
    return rejects;
  }

  PartitionOwnership takeOver(Uuid id) throws SQLException {
    return OffsetTable.takeOver(connection, TOPIC, id, Map.of(PARTITION.partition(), 0L)).get(0);
  }

  void add(Batch batch, WindowSummary window) {
    batch.add(WINDOWS, 1, record(window));
  }

  ConsumerRecord<byte[], byte[]> record(WindowSummary window) {
    return record(window.toByteArray());
  }

  ConsumerRecord<byte[], byte[]> record(byte[] value) {
    byte[] key = "key".getBytes(StandardCharsets.UTF_8);
    return new ConsumerRecord<>(TOPIC, PARTITION.partition(), offset++, key, value);
  }

  static WindowSummary window(String sensor, long startMs, int revision) {
    return WindowSummary.newBuilder()
        .setSensorId(sensor)
        .setWindowStartMs(startMs)
        .setWindowEndMs(startMs + 10_000)
        .setCount(1)
        .setSum(1.5)
        .setMin(1.5)
        .setMax(1.5)
        .setRevision(revision)
        .build();
  }

  static Database database(Duration idleInTransaction) {
    return new Database(SinkSchema.address(settings()), Database.Limits.of(idleInTransaction));
  }

  static SinkSettings settings() {
    return new SinkSettings(
        Optional.of(postgres.jdbcUrl()),
        Optional.empty(),
        Optional.empty(),
        List.of(Topic.WINDOWS),
        5_000,
        Duration.ofMillis(500),
        Optional.empty(),
        Duration.ofDays(30));
  }
}
