package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.lab.EmbeddedPostgres;
import io.weir.lab.oracle.Findings;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.CloseReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the oracle says of tables and records that are right, and of each way to be wrong. */
class PostgresOracleTest {
  private static final TableOracle WINDOWS = TableOracle.ofSummaries(Topic.WINDOWS, "weir_windows");
  private static final WindowSummary WINDOW =
      WindowSummary.newBuilder()
          .setSensorId("boiler")
          .setWindowStartMs(1_700_000_000_000L)
          .setWindowEndMs(1_700_000_010_000L)
          .setCount(2)
          .setSum(0.1 + 0.2)
          .setMin(-0.0)
          .setMax(0.3)
          .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
          .build();
  private static final String ROW =
      "insert into weir_windows (sensor_id, window_start, window_end, count, sum, min, max,"
          + " bad_count, revision, close_reason, is_final, topic_generation, kafka_offset) values"
          + " ('boiler', to_timestamp(1700000000), to_timestamp(1700000010), 2, %s, %s, 0.3,"
          + " 0, 0, 'EVENT_TIME', false, 1, %d)";

  private static EmbeddedPostgres postgres;

  private Connection connection;

  @BeforeAll
  static void startServer() throws SQLException {
    postgres = EmbeddedPostgres.start();
    try (Connection connection = postgres.connect()) {
      PostgresTables.create(connection, postgres.jdbcUrl());
    }
  }

  @AfterAll
  static void closeServer() {
    postgres.close();
  }

  @BeforeEach
  void begin() throws SQLException {
    connection = postgres.connect();
    connection.setAutoCommit(false);
  }

  @AfterEach
  void rollBack() throws SQLException {
    connection.rollback();
    connection.close();
  }

  @Test
  void rowThatSaysWhatItsRecordSays_isExact() throws Exception {
    execute(ROW.formatted("0.30000000000000004", "'-0'", 7));

    assertThat(windows(WINDOW.toBuilder().setSum(9).build(), 6, WINDOW, 7).lines()).isEmpty();
  }

  @Test
  void rowThatIsWrongInABit_orOfAnotherRecord_isFound() throws Exception {
    execute(ROW.formatted("0.3", "'-0'", 7));
    assertThat(windows(WINDOW, 6, WINDOW, 7).wrongWindows()).isEqualTo(1);
    execute("delete from weir_windows");
    execute(ROW.formatted("0.30000000000000004", "0", 7));
    assertThat(windows(WINDOW, 6, WINDOW, 7).wrongWindows()).isEqualTo(1);
    execute("delete from weir_windows");
    execute(ROW.formatted("0.30000000000000004", "'-0'", 6));
    assertThat(windows(WINDOW, 6, WINDOW, 7).wrongWindows()).isEqualTo(1);
  }

  @Test
  void rowThatIsMissing_orThatNoRecordSays_isFound() throws Exception {
    assertThat(windows(WINDOW, 6, WINDOW, 7).lost()).isEqualTo(1);
    execute(ROW.formatted("0.30000000000000004", "'-0'", 7));
    WindowSummary other = WINDOW.toBuilder().setSensorId("other").build();
    Findings findings = windows(other, 6, other, 7);

    assertThat(findings.lost()).isEqualTo(1);
    assertThat(findings.wrongRecords()).isEqualTo(1);
  }

  @Test
  void recordWithoutAPlace_isToBeAReject() throws Exception {
    WindowSummary nul = WINDOW.toBuilder().setSensorId("a\0b").build();
    execute(ROW.formatted("0.30000000000000004", "'-0'", 7));
    assertThat(windows(nul, 6, WINDOW, 7).lost()).isEqualTo(1);
    execute(
        "insert into weir_sink_rejects values ('weir.windows', 1, 0, 6, 'NUL_IN_TEXT', '', null, '\\x"
            + java.util.HexFormat.of().formatHex(nul.toByteArray())
            + "')");

    assertThat(windows(nul, 6, WINDOW, 7).lines()).isEmpty();
    assertThat(windows(WINDOW, 6, WINDOW, 7).wrongRecords()).isEqualTo(1);
  }

  @Test
  void status_isHeldToItsAlarms_andGoesWithATombstone() throws Exception {
    SensorStatus status =
        SensorStatus.newBuilder()
            .setSensorId("boiler")
            .setState(SensorState.SENSOR_STATE_SILENT)
            .setSinceMs(1_700_000_000_000L)
            .addAlarms(AlarmState.newBuilder().setRule("hot").setLevel("high").setValue(0.1))
            .build();
    execute(
        "insert into weir_status values ('boiler', 'SILENT', to_timestamp(1700000000), null, null,"
            + " '[{\"rule\": \"hot\", \"level\": \"high\", \"active\": false, \"since_ms\": 0,"
            + " \"value\": 0.1, \"priority\": 0}]', 1, 3)");

    assertThat(status(status.toByteArray()).lines()).isEmpty();
    assertThat(status(status.toBuilder().setSinceMs(5).build().toByteArray()).wrongWindows())
        .isEqualTo(1);
    assertThat(
            status(
                    status.toBuilder()
                        .setAlarms(0, status.getAlarms(0).toBuilder().setValue(0.2))
                        .build()
                        .toByteArray())
                .wrongWindows())
        .isEqualTo(1);
    assertThat(status(null).wrongRecords()).isEqualTo(1);
  }

  @Test
  void outboxWhoseRowsAllArrived_isExact_howeverOftenABatchWasSent() throws Exception {
    List<ConsumerRecord<byte[], byte[]>> sent = send(write());
    sent.add(0, sent.get(0));
    ConsumerRecord<byte[], byte[]> redriven = sent.get(1);
    sent.add(record("weir.readings", 99, null, redriven.value()));
    sent.get(sent.size() - 1).headers().add(DeadLetterHeaders.REDRIVE_TOPIC, new byte[0]);
    OutboxOracle oracle = new OutboxOracle();
    sent.forEach(oracle::take);

    assertThat(oracle.check(connection).lines()).isEmpty();
    assertThat(oracle.repeats()).isEqualTo(1);
    assertThat(oracle.committed()).isGreaterThan(100);
    assertThat(oracle.rejected()).isPositive();
  }

  @Test
  void rowThatIsLost_sentTwice_orChanged_isFound() throws Exception {
    List<Reading> rows = write();
    assertThat(outbox(send(rows.subList(1, rows.size()))).lost()).isEqualTo(1);
    List<Reading> twice = new ArrayList<>(rows);
    twice.add(rows.get(0));
    assertThat(outbox(send(twice)).doubled()).isEqualTo(1);
    List<Reading> changed = new ArrayList<>(rows);
    changed.set(0, rows.get(0).toBuilder().setValue(Math.nextUp(rows.get(0).getValue())).build());
    assertThat(outbox(send(changed)).lost()).isEqualTo(1);
    assertThat(outbox(send(changed)).doubled()).isEqualTo(1);
  }

  @Test
  void rowThatExpired_mayNotArrive_andOneThatExpiresLaterMay_once() throws Exception {
    List<Reading> rows = write();
    Reading last = rows.get(rows.size() - 1);
    assertThat(outbox(send(rows.subList(0, rows.size() - 1))).lines()).isEmpty();
    List<Reading> twice = new ArrayList<>(rows);
    twice.add(last);
    assertThat(outbox(send(twice)).doubled()).isEqualTo(1);
    execute("update chaos_outbox set expires_in_ms = -1 where value = " + last.getValue());
    assertThat(outbox(send(rows)).doubled()).isEqualTo(1);
  }

  @Test
  void sequenceWithTwoContents_orBehindALaterOne_isFound() throws Exception {
    List<Reading> rows = write();
    List<ConsumerRecord<byte[], byte[]>> sent = send(rows);
    sent.add(record("weir.readings", 50, null, batch(1, rows.subList(0, 3))));
    assertThat(outbox(sent).wrongRecords()).isEqualTo(1);
    List<ConsumerRecord<byte[], byte[]>> turned = send(rows);
    turned.add(turned.remove(0));
    assertThat(outbox(turned).wrongRecords()).isEqualTo(1);
  }

  @Test
  void rowThatIsLeft_orRejectThatIsMissing_isFound() throws Exception {
    List<ConsumerRecord<byte[], byte[]>> sent = send(write());
    execute("insert into weir_outbox (sensor_id) values ('left')");
    assertThat(outbox(sent).wrongRecords()).isEqualTo(1);
    execute("delete from weir_outbox");
    execute("delete from weir_outbox_rejects where id = (select min(id) from weir_outbox_rejects)");
    assertThat(outbox(sent).lost()).isEqualTo(1);
  }

  private Findings windows(WindowSummary first, long at, WindowSummary second, long then)
      throws Exception {
    ExpectedRows rows = new ExpectedRows("weir.windows", "weir_windows");
    WINDOWS.reader().take(record("weir.windows", at, null, first.toByteArray()), rows);
    WINDOWS.reader().take(record("weir.windows", then, null, second.toByteArray()), rows);
    return rows.check(connection, WINDOWS.select());
  }

  private Findings status(byte[] value) throws Exception {
    TableOracle status = StateTables.status();
    ExpectedRows rows = new ExpectedRows("weir.status", "weir_status");
    byte[] key = "boiler".getBytes(StandardCharsets.UTF_8);
    status.reader().take(record("weir.status", 3, key, value), rows);
    return rows.check(connection, status.select());
  }

  private Findings outbox(List<ConsumerRecord<byte[], byte[]>> records) throws SQLException {
    OutboxOracle oracle = new OutboxOracle();
    records.forEach(oracle::take);
    return oracle.check(connection);
  }

  /** Inserts rows, and takes them out as a collector does; returns those that are readings. */
  private List<Reading> write() throws SQLException {
    OutboxLoad load = new OutboxLoad(new Random(5));
    for (int i = 0; i < 30; i++) {
      OutboxApplication.insert(connection, load.next(1_700_000_000_000L));
    }
    execute(
        "insert into weir_outbox_rejects select o.id, o.xact, o.priority, o.sensor_id,"
            + " o.timestamp_ms, o.value, o.quality, o.key, o.event, '', '' from weir_outbox o"
            + " join chaos_outbox c using (id) where not c.accepted"
            + " and c.expires_in_ms is null");
    execute("delete from weir_outbox");
    List<Reading> readings = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select * from chaos_outbox where accepted and coalesce(expires_in_ms, 0) >= 0"
                    + " order by expires_in_ms nulls first, id")) {
      while (row.next()) {
        readings.add(
            Reading.newBuilder()
                .setSensorId(row.getString("sensor_id"))
                .setTimestampMs(row.getLong("timestamp_ms"))
                .setValue(row.getDouble("value"))
                .setQualityValue(row.getInt("quality"))
                .build());
      }
    }
    return readings;
  }

  /** In batches of 50 to one partition. */
  private static List<ConsumerRecord<byte[], byte[]>> send(List<Reading> readings) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int from = 0; from < readings.size(); from += 50) {
      List<Reading> some = readings.subList(from, Math.min(from + 50, readings.size()));
      int sequence = records.size() + 1;
      records.add(record("weir.readings", sequence, null, batch(sequence, some)));
    }
    return records;
  }

  private static byte[] batch(long sequence, List<Reading> readings) {
    return ReadingBatch.newBuilder()
        .setGatewayId(CollectorApplication.GATEWAY)
        .setBootId(1)
        .setSequence(sequence)
        .addAllReadings(readings)
        .build()
        .toByteArray();
  }

  private static ConsumerRecord<byte[], byte[]> record(
      String topic, long offset, byte[] key, byte[] value) {
    return new ConsumerRecord<>(topic, 0, offset, key, value);
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
