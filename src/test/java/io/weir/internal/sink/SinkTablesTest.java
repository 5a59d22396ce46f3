package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.internal.postgres.RejectRetention;
import io.weir.internal.postgres.SchemaFiles;
import io.weir.summary.Derived;
import io.weir.summary.WindowKey;
import io.weir.v1.WindowSummary;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SinkTablesTest extends SinkTablesFixture {
  private static final String PIECES = "weir_sink_weir_windows_pieces";

  @Test
  void rejects_areDeletedAfterTheirRetention_someAtATime() throws SQLException {
    String rejects =
        "insert into weir_sink_rejects select 'weir.windows', 1, 7, n, 'r', 'm', null, null, ";
    execute(rejects + "now() - interval '31 days' from generate_series(1, 5003) n");
    execute(rejects + "now() - interval '29 days' from generate_series(9001, 9002) n");
    RejectRetention retention =
        new RejectRetention("weir_sink_rejects", "rejected_at", Duration.ofDays(30));

    assertThat(retention.run(connection, 0)).isEqualTo(5_000);
    assertThat(strings("select count(*) from weir_sink_rejects")).containsExactly("5");
    assertThat(retention.run(connection, 999)).isZero();
    assertThat(strings("select count(*) from weir_sink_rejects")).containsExactly("5");
    assertThat(retention.run(connection, 1_000)).isEqualTo(3);
    assertThat(strings("select reason || ' ' || deleted from weir_sink_rejects_deleted"))
        .containsExactly("r 5003");
    assertThat(strings("select min(kafka_offset) from weir_sink_rejects")).containsExactly("9001");
  }

  @Test
  void rows_areTheSummaries_bitForBit() {
    Seeds.forEach(
        3,
        random -> {
          execute("truncate weir_windows, weir_sink_offsets");
          Map<WindowKey, WindowSummary> expected = new HashMap<>();
          Batch batch = new Batch();
          for (int i = 0; i < 2_000; i++) {
            String sensor = "sensor-ü-" + random.nextInt(50);
            long startMs = (random.nextInt(20) - 3) * 10_000L;
            WindowSummary window = RandomSummaries.next(random, sensor, startMs, i);
            add(batch, window);
            expected.put(WindowKey.of(window), SummaryTable.withoutHistogram(window));
          }
          write(batch);

          assertThat(SummaryTable.read(connection, "weir_windows")).isEqualTo(expected);
        });
  }

  @Test
  void derivedColumns_areThoseOfTheSummaries() {
    Seeds.forEach(
        3,
        random -> {
          execute("truncate weir_windows, weir_sink_offsets");
          Map<String, WindowSummary> windows = new HashMap<>();
          Batch batch = new Batch();
          for (int i = 0; i < 500; i++) {
            WindowSummary window = RandomSummaries.next(random, "s-" + i, 0, i);
            boolean possible = window.getMin() <= window.getMax() && !isInfinite(window);
            if (possible) {
              add(batch, window);
              windows.put(window.getSensorId(), window);
            }
          }
          write(batch);

          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery("select * from weir_windows_derived")) {
            while (row.next()) {
              WindowSummary window = windows.remove(row.getString("sensor_id"));
              assertSame(row, "mean", Derived.mean(window));
              assertSame(row, "spread", Derived.spread(window));
              assertSame(row, "standard_deviation", Derived.standardDeviation(window));
              assertSame(row, "time_weighted_average", Derived.timeWeightedAverage(window));
              assertSame(row, "p50", Derived.quantile(window, 0.5));
              assertSame(row, "p95", Derived.quantile(window, 0.95));
              assertSame(row, "p99", Derived.quantile(window, 0.99));
            }
          }
          assertThat(windows).isEmpty();
        });
  }

  /** Of readings the smallest and the largest are finite. */
  private static boolean isInfinite(WindowSummary window) {
    return Double.isInfinite(window.getMin()) || Double.isInfinite(window.getMax());
  }

  private static void assertSame(ResultSet row, String column, OptionalDouble expected)
      throws SQLException {
    Double found = (Double) row.getObject(column);
    if (expected.isEmpty()) {
      assertThat(found).as(column).isNull();
    } else {
      // A zero that a number rounds to has no sign there.
      assertThat(found + 0.0).as(column).isEqualTo(expected.getAsDouble() + 0.0);
    }
  }

  @Test
  void revisionsInOneTransaction_leaveTheLast_andAnOlderOneNeverComesBack() throws Exception {
    Batch batch = new Batch();
    for (int revision = 0; revision < 500; revision++) {
      add(batch, window("boiler", 0, revision));
    }
    write(batch);
    assertThat(revisionOf("boiler")).isEqualTo(499);

    offset = 100; // Read again from somewhere before.
    Batch again = new Batch();
    add(again, window("boiler", 0, 100));
    write(again);
    assertThat(revisionOf("boiler")).isEqualTo(499);

    Batch ofNewTopic = new Batch();
    offset = 0;
    Uuid newId = Uuid.randomUuid();
    PartitionOwnership ownership = takeOver(newId);
    assertThat(ownership.generation()).isEqualTo(2);
    ofNewTopic.add(WINDOWS, ownership.generation(), record(window("boiler", 0, 3)));
    new BatchWriter(connection).write(ofNewTopic, List.of(ownership), () -> true);
    assertThat(revisionOf("boiler")).isEqualTo(3);

    assertThatThrownBy(() -> takeOver(ID))
        .isInstanceOf(SinkRefusedException.class)
        .hasMessageContaining("generation 1 in weir_sink_offsets, and 2 is newer");
    connection.rollback();
  }

  @Test
  void whatHasNoPlace_isARowOfRejects_andTheOthersFlow() throws Exception {
    Batch batch = new Batch();
    String longest = "é".repeat(128);
    add(batch, window("good", 0, 1));
    add(batch, window("nul\0", 0, 1));
    add(batch, window(longest, 0, 1));
    add(batch, window("x".repeat(2_001), 0, 1));
    add(batch, window("far", Long.MAX_VALUE - 10_000, 1));
    add(batch, window("many", 0, 1).toBuilder().setCount(-1).build());
    batch.add(WINDOWS, 1, record(new byte[] {1, 2, 3}));
    batch.add(WINDOWS, 1, record((byte[]) null));
    batch.add(WINDOWS, 1, record(new byte[0]));
    add(batch, window("", 0, 1));
    write(batch);

    assertThat(SummaryTable.read(connection, "weir_windows").keySet())
        .extracting(WindowKey::sensorId)
        .containsExactlyInAnyOrder("good", longest);
    assertThat(
            strings(
                "select kafka_offset || ' ' || reason from weir_sink_rejects order by weir_sink_rejects.kafka_offset"))
        .containsExactly(
            "1 NUL_IN_TEXT",
            "3 KEY_TOO_LONG",
            "4 TIME_OUT_OF_RANGE",
            "5 COUNT_OUT_OF_RANGE",
            "6 UNDECODABLE",
            "7 UNDECODABLE",
            "8 UNDECODABLE",
            "9 UNDECODABLE");
    assertThat(strings("select encode(value, 'hex') from weir_sink_rejects where kafka_offset = 6"))
        .containsExactly("010203");
    assertThat(strings("select next_offset::text from weir_sink_offsets")).containsExactly("10");
  }

  @Test
  void rowsThatTheDatabaseRefuses_areRejects_andTheOthersFlow() throws Exception {
    execute("alter table weir_windows add constraint small check (revision < 1000)");
    try {
      Batch batch = new Batch();
      for (int i = 0; i < 300; i++) {
        add(batch, window("s-" + i, 0, i % 100 == 50 ? 1_000 + i : i));
      }
      List<Reject> rejects = write(batch);

      assertThat(rejects).hasSize(3);
      assertThat(strings("select count(*)::text from weir_windows")).containsExactly("297");
      assertThat(
              strings(
                  "select kafka_offset::text from weir_sink_rejects order by weir_sink_rejects.kafka_offset"))
          .containsExactly("50", "150", "250");
      assertThat(strings("select next_offset::text from weir_sink_offsets")).containsExactly("300");
    } finally {
      execute("alter table weir_windows drop constraint small");
    }
  }

  /** Nobody waits for a process that is frozen while it sends rows, also where one is refused. */
  @Test
  void allRowsAreSent_beforeOffsetsAreLocked() throws Exception {
    execute("alter table weir_windows add constraint small check (revision < 1000)");
    try {
      PartitionOwnership owned = takeOver(ID);
      List<String> staged = new ArrayList<>();
      Batch batch = new Batch();
      for (int revision = 990; revision < 1_002; revision++) {
        add(batch, window("s-" + revision, 0, revision));
      }
      BatchWriter writer = new BatchWriter(connection);
      BatchWriter.With move =
          () -> {
            staged.add(count(staged.isEmpty() ? "weir_sink_weir_windows" : PIECES));
            OffsetTable.move(connection, List.of(owned), batch.nextOffsets());
          };
      assertThat(writer.write(batch, move, () -> true).orElseThrow()).hasSize(2);
      assertThat(staged).containsExactly("12", "12");
    } finally {
      execute("alter table weir_windows drop constraint small");
    }
  }

  private String count(String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + table)) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void theServer_givesUpAHostThatIsGone() throws Exception {
    assertThat(strings("show tcp_user_timeout")).containsExactly("10000");
    assertThat(strings("show tcp_keepalives_idle")).containsExactly("2");
    assertThat(strings("show tcp_keepalives_interval")).containsExactly("2");
    assertThat(strings("show tcp_keepalives_count")).containsExactly("3");
  }

  @Test
  void anOwnerBefore_writesNothing() throws Exception {
    PartitionOwnership old = takeOver(ID);
    PartitionOwnership now = takeOver(ID);
    assertThat(now.epoch()).isEqualTo(old.epoch() + 1);
    Batch batch = new Batch();
    batch.add(WINDOWS, 1, record(window("boiler", 0, 5)));

    assertThatThrownBy(() -> new BatchWriter(connection).write(batch, List.of(old), () -> true))
        .isInstanceOfSatisfying(
            FencedPartitionsException.class,
            e -> assertThat(e.partitions()).containsExactly(PARTITION));

    assertThat(strings("select sensor_id from weir_windows")).isEmpty();
    assertThat(strings("select next_offset::text from weir_sink_offsets")).containsExactly("0");
    new BatchWriter(connection).write(batch, List.of(now), () -> true);
    assertThat(revisionOf("boiler")).isEqualTo(5);
  }

  /** Its rows are written and not committed when it is frozen: the server ends its transaction. */
  @Test
  void anOwnerFrozenWithinItsTransaction_blocksNobodyForLong_andCannotCommit() throws Exception {
    PartitionOwnership old = takeOver(ID);
    try (Connection frozen = database(Duration.ofMillis(300)).open()) {
      OffsetTable.move(frozen, List.of(old), Map.of(PARTITION, new OffsetAndMetadata(10)));
      try (Statement statement = frozen.createStatement()) {
        statement.execute(
            "insert into weir_windows (sensor_id, window_start, window_end, count, bad_count,"
                + " revision, close_reason, is_final, topic_generation, kafka_offset)"
                + " values ('boiler', 'epoch', 'epoch', 0, 0, 1, 'IDLE', false, 1, 9)");
      }

      PartitionOwnership now = takeOver(ID); // Waits for the lock that the frozen one holds.
      assertThat(now.nextOffset()).isZero();
      Batch batch = new Batch();
      batch.add(WINDOWS, 1, record(window("boiler", 0, 5)));
      new BatchWriter(connection).write(batch, List.of(now), () -> true);

      assertThatThrownBy(frozen::commit).isInstanceOf(SQLException.class);
      assertThat(revisionOf("boiler")).isEqualTo(5);
    }
  }

  @Test
  void latest_isTheNewestWindowOfEachSensor() throws Exception {
    long nowMs = System.currentTimeMillis() / 10_000 * 10_000;
    Batch batch = new Batch();
    for (int sensor = 0; sensor < 20; sensor++) {
      for (int window = 1; window <= 5; window++) {
        add(batch, window("s-" + sensor, nowMs - window * 10_000L, window));
      }
    }
    add(batch, window("old", nowMs - 2 * MS_A_DAY, 1));
    write(batch);

    assertThat(strings("select revision::text from weir_latest")).hasSize(20).containsOnly("1");
    assertThat(strings("select sensor_id from weir_latest")).doesNotHaveDuplicates();
  }

  @Test
  void schemaText_bringsOlderTablesUpToDate_andTwiceChangesNothing() throws Exception {
    String last = SinkSchema.FILES.files().get(SinkSchema.FILES.files().size() - 1);
    List<String> older = SinkSchema.FILES.files().subList(0, SinkSchema.FILES.files().size() - 1);
    execute("create schema older");
    execute("set search_path = older");
    try {
      String text = new SchemaFiles(SinkSchema.class, older, "weir sink --init").text();
      execute(text);
      assertThat(strings("select file from weir_schema order by 1")).isEqualTo(older);
      for (int i = 0; i < 2; i++) {
        execute(SinkSchema.text());
        assertThat(strings("select max(file) from weir_schema")).containsExactly(last);
        assertThat(strings("select number from weir_entity")).isEmpty();
      }
    } finally {
      connection.rollback();
      execute("drop schema older cascade");
      execute("set search_path = public");
    }
  }

  @Test
  void init_twice_changesNothing_andItsTextIsThatOfTheTables() throws Exception {
    assertThat(SinkSchema.init(settings())).noneMatch(SchemaFiles.Applied::now).isNotEmpty();

    execute("create schema by_hand");
    execute("set search_path = by_hand");
    execute(SinkSchema.text());
    connection.commit();
    assertThat(
            strings(
                "select table_name || '.' || column_name || ' ' || data_type from"
                    + " information_schema.columns where table_schema = 'by_hand' order by 1"))
        .isEqualTo(
            strings(
                "select table_name || '.' || column_name || ' ' || data_type from"
                    + " information_schema.columns where table_schema = 'public' and table_name"
                    + " not similar to '%[0-9]{8}' order by 1"))
        .isNotEmpty();
    SinkSchema.FILES.require(connection, database(Duration.ofSeconds(10)));
    execute("drop schema by_hand cascade");
  }

  /** Autovacuum cannot freeze temporary tables, whose session may live for weeks. */
  @Test
  void temporaryTables_doNotHoldBackTheAgeOfTheDatabase() throws Exception {
    Batch batch = new Batch();
    AtomicLong clockMs = new AtomicLong();
    BatchWriter writer = new BatchWriter(connection, clockMs::get);
    PartitionOwnership owner = takeOver(ID);
    add(batch, window("s", 0, 1));
    writer.write(batch.drain(), List.of(owner), () -> true);
    try (Connection other = database(Duration.ofSeconds(60)).open();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(true);
      statement.execute(
          "do $$ begin for i in 1..2000 loop perform pg_current_xact_id(); commit; end loop; end $$");
      clockMs.addAndGet(Duration.ofHours(1).toMillis());
      writer.discardOld();
      add(batch, window("s", 0, 2));
      writer.write(batch.drain(), List.of(owner), () -> true);
      statement.execute("vacuum (freeze)");
    }
    assertThat(
            strings(
                "select oid::regclass || ' ' || age(relfrozenxid) from pg_class"
                    + " where relkind in ('r', 't', 'm') and age(relfrozenxid) >= 2000"))
        .isEmpty();
    assertThat(revisionOf("s")).isEqualTo(2);
  }

  /** An operator wants all records to be read again. */
  @Test
  void afterOffsetsWereEmptied_laterRecordsAreNewerThanTheRows() throws Exception {
    takeOver(ID);
    Uuid recreated = Uuid.randomUuid();
    Batch batch = new Batch();
    for (int revision = 1; revision <= 2; revision++) {
      PartitionOwnership owner = takeOver(recreated);
      batch.add(WINDOWS, owner.generation(), record(window("s", 0, revision)));
      new BatchWriter(connection).write(batch.drain(), List.of(owner), () -> true);
      execute("truncate weir_sink_offsets");
    }
    assertThat(revisionOf("s")).isEqualTo(2);
  }

  /** A reader would wait behind it for as long as the report takes. */
  @Test
  void newTables_waitForALongReportForAShortTime() throws Exception {
    try (Connection init = database(Duration.ofMinutes(5)).open();
        Connection report = database(Duration.ofMinutes(5)).open();
        Statement statement = init.createStatement();
        Statement read = report.createStatement()) {
      statement.execute("create schema upgraded; set search_path = upgraded");
      statement.execute("create table weir_schema (file text primary key)");
      for (String file : SinkSchema.FILES.files().subList(0, 4)) {
        statement.execute(SinkSchema.FILES.sql(file));
        statement.execute("insert into weir_schema (file) values ('" + file + "')");
      }
      init.commit();
      try {
        read.execute("select count(*) from upgraded.weir_windows");
        assertThatThrownBy(() -> SinkSchema.init(init))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
        init.rollback();
        report.rollback();
        assertThat(SinkSchema.init(init)).hasSize(SinkSchema.FILES.files().size());
      } finally {
        init.rollback();
        report.rollback();
        statement.execute("drop schema upgraded cascade");
        init.commit();
      }
    }
  }
}
