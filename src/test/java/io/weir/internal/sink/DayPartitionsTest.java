package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Await;
import io.weir.internal.postgres.SqlFailures;
import io.weir.topic.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which rows are in a partition of their day, and how long it is kept. */
@Timeout(120)
class DayPartitionsTest extends SinkTablesFixture {
  private static final int TODAY = (int) LocalDate.of(2026, 11, 22).toEpochDay();

  @Test
  void days_getPartitions_onceForSeveralProcesses_andLoseThemByRetention() throws Exception {
    Set<Integer> days =
        Set.of(TODAY - 400, TODAY - 31, TODAY - 3, TODAY, TODAY + 1, TODAY + 9, TODAY + 401);
    ExecutorService processes = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        tasks.add(
            () -> {
              try (Connection own = database(Duration.ofSeconds(10)).open()) {
                assertThat(
                        new DayPartitions("weir_rollups", Validation.NONE).ensure(own, days, TODAY))
                    .isEmpty();
                return null;
              }
            });
      }
      for (Future<Void> done : processes.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      processes.shutdown();
    }
    assertThat(partitions("weir_rollups"))
        .containsExactly(
            "weir_rollups_20261022",
            "weir_rollups_20261119",
            "weir_rollups_20261122",
            "weir_rollups_20261123",
            "weir_rollups_20261201",
            "weir_rollups_default");

    TableMapping rollups = TableMapping.of(Topic.ROLLUPS);
    Batch batch = new Batch();
    for (int day : days) {
      batch.add(rollups, 1, record(window("s", day * MS_A_DAY, 1)));
    }
    write(batch);
    assertThat(strings("select window_start::text from weir_rollups_default")).hasSize(2);

    DayPartitions ofTable = new DayPartitions("weir_rollups", Validation.NONE);
    long nowMs = TODAY * MS_A_DAY + MS_A_DAY / 2;
    assertThat(ofTable.retain(connection, Duration.ofDays(3), nowMs)).isTrue();

    assertThat(partitions("weir_rollups"))
        .containsExactly(
            "weir_rollups_20261119",
            "weir_rollups_20261122",
            "weir_rollups_20261123",
            "weir_rollups_20261201",
            "weir_rollups_default");
    assertThat(strings("select count(*)::text from weir_rollups")).containsExactly("5");
  }

  @Test
  void aDayWhoseRowsAreInTheDefaultPartition_staysThere_andTheNextOnesDoNot() throws Exception {
    Batch batch = new Batch();
    add(batch, window("s", TODAY * MS_A_DAY, 1));
    write(batch);

    Set<Integer> days = Set.of(TODAY, TODAY + 1);
    new DayPartitions("weir_windows", Validation.NONE).ensure(connection, days, TODAY);
    List<String> constraints = constraints();
    assertThat(constraints).hasSize(1);
    for (int again = 0; again < 2; again++) { // Later, and after a restart.
      assertThat(new DayPartitions("weir_windows", Validation.NONE).ahead(connection, TODAY))
          .isTrue();
      assertThat(constraints()).isEqualTo(constraints);
    }

    add(batch, window("t", TODAY * MS_A_DAY, 1));
    add(batch, window("u", (TODAY + 1) * MS_A_DAY, 1));
    write(batch);
    assertThat(strings("select sensor_id from weir_windows_default order by 1"))
        .containsExactly("s", "t");
    assertThat(partitions("weir_windows"))
        .containsExactly(
            "weir_windows_20261123",
            "weir_windows_20261124",
            "weir_windows_20261125",
            "weir_windows_default");
  }

  private List<String> constraints() throws Exception {
    return strings(
        "select conname from pg_constraint where conrelid = 'weir_windows_default'::regclass"
            + " and conname like 'weir_days_%'");
  }

  @Test
  void usersPartitionOfAPartOfADay_letsTheDayWait_untilPartitionsCoverIt() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    int day = TODAY + 30;
    String partition = "create table %s partition of weir_windows for values from (%s) to (%s)";
    String start = DefaultRange.literal(day);
    String noon = start + " + interval '12 hours'";
    execute(partition.formatted("morning", start, noon));
    try {
      days.forget();
      assertThat(days.ensure(connection, Set.of(day), TODAY)).containsExactly(day);

      execute(partition.formatted("later", noon, "maxvalue"));
      days.forget();
      assertThat(days.ensure(connection, Set.of(day, day + 1), TODAY)).isEmpty();
      assertThat(partitions("weir_windows")).contains("morning", "later");
    } finally {
      execute("drop table morning; drop table if exists later");
    }
  }

  /** A gateway with a wrong clock wrote ahead of the range, and no sink renewed it in time. */
  @Test
  void rowsBehindTheLastRange_stayInTheDefaultPartition_andLaterDaysGetTheirs() throws Exception {
    assertThat(new DayPartitions("weir_windows", Validation.NONE).ahead(connection, TODAY - 500))
        .isTrue();
    Batch batch = new Batch();
    add(batch, window("ahead", (TODAY - 50) * MS_A_DAY, 1));
    write(batch);

    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    assertThat(days.ensure(connection, Set.of(TODAY - 300, TODAY - 50, TODAY - 49), TODAY))
        .isEmpty();
    for (int day : new int[] {TODAY - 300, TODAY - 50, TODAY - 49, TODAY}) {
      add(batch, window("s", day * MS_A_DAY, 1));
    }
    write(batch);
    assertThat(
            strings("select tableoid::regclass || ' ' || sensor_id from weir_windows order by 1"))
        .containsExactly(
            "weir_windows_20260126 s",
            "weir_windows_20261004 s",
            "weir_windows_20261122 s",
            "weir_windows_default ahead",
            "weir_windows_default s");
  }

  /** Its CHECK holds for new rows from the beginning, and the validation may take long. */
  @Test
  void beforeARangeIsValid_recordsOfItsDaysWait() throws Exception {
    execute(
        "alter table weir_windows_default add constraint weir_days_20261022_20271227"
            + " check (window_start < timestamptz '2026-10-22Z'"
            + " or window_start >= timestamptz '2027-12-27Z') not valid");
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    Batch batch = new Batch();
    add(batch, window("today", TODAY * MS_A_DAY, 1));
    add(batch, window("long-ago", 0, 1));
    try (Connection other = database(Duration.ofMinutes(5)).open();
        Statement statement = other.createStatement()) {
      statement.execute("lock table weir_windows_default in share update exclusive mode");
      assertThat(days.ahead(connection, TODAY)).isFalse();
      batch.defer(WINDOWS.table(), days.ensure(connection, batch.days(WINDOWS.table()), TODAY));
      assertThat(write(batch)).isEmpty();
    }
    assertThat(strings("select sensor_id from weir_windows")).containsExactly("long-ago");
    assertThat(strings("select (day - %d)::text from weir_sink_waiting".formatted(TODAY)))
        .containsExactly("0");

    assertThat(days.ahead(connection, TODAY)).isTrue();
    assertThat(days.ensure(connection, Set.of(TODAY), TODAY)).isEmpty();
  }

  @Test
  void aValidationThatTakesLong_hasAConnectionOfItsOwn() throws Exception {
    execute(
        "alter table weir_windows_default add constraint weir_days_20261022_20271227"
            + " check (true) not valid");
    try (Validation validation = new Validation(database(Duration.ofSeconds(10)))) {
      validation.start(
          "alter table weir_windows_default validate constraint weir_days_20261022_20271227");
      Await.until(() -> !validation.isRunning());
    }
    assertThat(
            strings(
                "select convalidated::text from pg_constraint"
                    + " where conname = 'weir_days_20261022_20271227'"))
        .containsExactly("true");
  }

  @Test
  void aDayThatAUsersPartitionHas_isWrittenThere() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    execute(
        "create table december partition of weir_windows"
            + " for values from ('2026-12-01Z') to ('2027-01-01Z')");
    try {
      assertThat(days.ensure(connection, Set.of(TODAY + 15), TODAY)).isEmpty();
      Batch batch = new Batch();
      add(batch, window("s", (TODAY + 15) * MS_A_DAY, 1));
      assertThat(write(batch)).isEmpty();
      assertThat(strings("select sensor_id from december")).containsExactly("s");
    } finally {
      execute("drop table december");
    }
  }

  /** One that was detached by hand, and lacks a column since. */
  @Test
  void aTableThatCannotBeAttached_keepsItsRecordsWaiting_andOtherDaysGoOn() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    execute("alter table weir_windows detach partition weir_windows_20261122");
    execute("alter table weir_windows add site text not null default 'plant-7'");
    try {
      days.forget();
      assertThat(days.ensure(connection, Set.of(TODAY, TODAY + 9), TODAY)).containsExactly(TODAY);
      execute("alter table weir_windows_20261122 add site text not null default 'plant-7'");
      days.forget();
      assertThat(days.ensure(connection, Set.of(TODAY, TODAY + 9), TODAY)).isEmpty();
    } finally {
      execute("alter table weir_windows drop site");
    }
  }

  @Test
  void attaching_readsNoRowOfTheDefaultPartition_andEndsByNoStatementTimeout() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    days.ahead(connection, TODAY);
    execute(
        "insert into weir_windows (sensor_id, window_start, window_end, count, bad_count, revision,"
            + " close_reason, is_final, topic_generation, kafka_offset)"
            + " select 's' || i, '2024-01-01Z', '2024-01-02Z', 1, 0, 1, 'IDLE', false, 1, i"
            + " from generate_series(1, 20000) i");
    long before = rowsScanned();

    for (int day = TODAY + 1; day < TODAY + 300; day += 50) {
      assertThat(days.ahead(connection, day)).isTrue();
    }

    assertThat(partitions("weir_windows")).hasSize(26);
    // The CHECK itself is renewed once in these days; it is validated beside readers and writers.
    assertThat(rowsScanned() - before).isLessThanOrEqualTo(20_000);
    execute("create table weir_windows_20400101 (like weir_windows including all)");
    long without = rowsScanned();
    execute(
        "alter table weir_windows attach partition weir_windows_20400101"
            + " for values from ('2040-01-01Z') to ('2040-01-02Z')");
    assertThat(rowsScanned() - without).as("without a CHECK").isGreaterThanOrEqualTo(20_000);
    try (Connection dump = database(Duration.ofMinutes(5)).open();
        Statement statement = dump.createStatement()) {
      statement.execute("lock table weir_windows_default in access share mode");
      // The first time makes the tables, which may take longer than the second time has.
      assertThat(days.ahead(connection, TODAY + 500)).isFalse();
      execute("set statement_timeout = '90ms'");
      assertThat(days.ahead(connection, TODAY + 500)).isFalse();
      execute("set statement_timeout = '60s'");
    }
    assertThat(days.ahead(connection, TODAY + 500)).isTrue();
  }

  /** Of a process that does not know of the day's partition yet. */
  @Test
  void aRowThatTheDefaultPartitionRefuses_isNoReject() throws Exception {
    new DayPartitions("weir_windows", Validation.NONE).ensure(connection, Set.of(), TODAY);
    Batch batch = new Batch();
    add(batch, window("s", TODAY * MS_A_DAY, 1));
    assertThatThrownBy(() -> write(batch))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(SqlFailures.of(e)).isEqualTo(SqlFailures.TRANSIENT));
    connection.rollback();
    assertThat(strings("select 1 from weir_sink_rejects")).isEmpty();
  }

  @Test
  void retention_waitsForAReader_andNobodyWaitsBehindIt() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    days.ensure(connection, Set.of(TODAY - 5, TODAY), TODAY);
    long nowMs = TODAY * MS_A_DAY;
    try (Connection report = database(Duration.ofMinutes(5)).open();
        Statement statement = report.createStatement()) {
      statement.execute("select count(*) from weir_windows");
      assertThat(days.retain(connection, Duration.ofDays(3), nowMs)).isFalse();
      assertThat(partitions("weir_windows")).contains("weir_windows_20261117");
      // Whatever retention has locked is free again.
      execute("set lock_timeout = '1s'");
      execute("insert into weir_windows select * from weir_windows");
    }

    assertThat(days.retain(connection, Duration.ofDays(3), nowMs)).isTrue();
    assertThat(partitions("weir_windows"))
        .containsExactly("weir_windows_20261122", "weir_windows_default");
    assertThat(strings("select to_regclass('weir_windows_20261117')::text")).containsOnlyNulls();
  }

  /** Retention is tried again, and the sink goes on meanwhile. */
  @Test
  void retention_leavesWhatAUserDependsOn_andRemovesTheRest() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    days.ensure(connection, Set.of(TODAY - 6, TODAY - 5, TODAY), TODAY);
    Batch batch = new Batch();
    add(batch, window("kept", 0, 1));
    write(batch);
    execute("create view of_the_day as select * from weir_windows_20261116");
    execute(
        "create function keep() returns trigger language plpgsql as $$ begin"
            + " raise exception 'kept' using errcode = 'KEPT1'; end $$;"
            + " create trigger keep before delete on weir_windows_default"
            + " for each row execute function keep()");
    try {
      assertThat(days.retain(connection, Duration.ofDays(3), TODAY * MS_A_DAY)).isFalse();

      assertThat(partitions("weir_windows"))
          .containsExactly(
              "weir_windows_20261116", "weir_windows_20261122", "weir_windows_default");
      assertThat(strings("select to_regclass('weir_windows_20261117')::text")).containsOnlyNulls();
    } finally {
      connection.rollback();
      execute("drop view of_the_day; drop function keep() cascade");
    }
    assertThat(days.retain(connection, Duration.ofDays(3), TODAY * MS_A_DAY)).isTrue();
    assertThat(strings("select to_regclass('weir_windows_20261116')::text")).containsOnlyNulls();
    assertThat(strings("select 1 from weir_windows")).isEmpty();
  }

  /** Its name says where it begins, and not where it ends. */
  @Test
  void retention_keepsAUsersPartitionOfAMonth_thatHasDaysToKeep() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    execute(
        "create table weir_windows_20261201 partition of weir_windows"
            + " for values from ('2026-12-01Z') to ('2027-01-01Z')");
    int newest = TODAY + 38;
    Batch batch = new Batch();
    add(batch, window("s", newest * MS_A_DAY, 1));
    write(batch);
    assertThat(days.retain(connection, Duration.ofDays(7), (newest + 1) * MS_A_DAY)).isTrue();
    assertThat(strings("select sensor_id from weir_windows_20261201")).containsExactly("s");
  }

  @Test
  void retention_keepsATableThatAUserDetached() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    execute("alter table weir_windows detach partition weir_windows_20261122");
    days.retain(connection, Duration.ofDays(7), (TODAY + 30) * MS_A_DAY);
    assertThat(strings("select to_regclass('weir_windows_20261122')::text")).doesNotContainNull();
  }

  @Test
  void retention_passesATableWhoseDigitsAreNoDate() throws Exception {
    execute("create table weir_windows_20261399 (i int)");
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.retain(connection, Duration.ofDays(7), TODAY * MS_A_DAY)).isTrue();
  }

  /** A reader waits for the check of the key, so it is not made every ten seconds. */
  @Test
  void retention_leavesADayToWhichAUsersForeignKeyRefers_untilTheNextRegularTime()
      throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    Batch batch = new Batch();
    add(batch, window("s", TODAY * MS_A_DAY, 1));
    write(batch);
    execute(
        "create table notes (sensor_id text collate \"C\", s timestamptz, e timestamptz);"
            + " insert into notes select sensor_id, window_start, window_end from weir_windows;"
            + " alter table notes add foreign key (sensor_id, s, e) references weir_windows");
    long nowMs = (TODAY + 8) * MS_A_DAY;
    try {
      assertThat(days.retain(connection, Duration.ofDays(7), nowMs)).isTrue();
      assertThat(partitions("weir_windows")).contains("weir_windows_20261122");
      execute("delete from notes");
      assertThat(days.retain(connection, Duration.ofDays(7), nowMs)).isTrue();
      assertThat(partitions("weir_windows")).doesNotContain("weir_windows_20261122");
    } finally {
      execute("drop table notes");
    }
  }

  /** The search path begins with it, and the tables are in public. */
  @Test
  void aSchemaWithTheNameOfTheRole_getsNoPartitions() throws Exception {
    String role = strings("select current_user").get(0);
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    execute("create schema " + role);
    try {
      for (int connections = 0; connections < 2; connections++) {
        days.forget();
        assertThat(days.ensure(connection, Set.of(TODAY + 10), TODAY)).isEmpty();
      }
      assertThat(strings("select to_regclass('public.weir_windows_20261202')::text"))
          .doesNotContainNull();
      assertThat(days.retain(connection, Duration.ofDays(7), (TODAY + 30) * MS_A_DAY)).isTrue();
      assertThat(partitions("weir_windows")).containsExactly("weir_windows_default");
    } finally {
      execute("drop schema " + role + " cascade");
    }
  }

  /** A batch of many days waits for the lock once. */
  @Test
  void aReaderOfTheDefaultPartition_letsAllDaysWait_afterTheFirstOne() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    // What a sequence counts stays after a rollback.
    execute(
        "create sequence tries; create function try() returns event_trigger language plpgsql as"
            + " $$ begin perform nextval('tries'); end $$;"
            + " create event trigger try on ddl_command_start when tag in ('CREATE TABLE')"
            + " execute function try()");
    Set<Integer> many = Set.of(TODAY + 10, TODAY + 11, TODAY + 12, TODAY + 13);
    try (Connection dump = database(Duration.ofMinutes(5)).open();
        Statement read = dump.createStatement()) {
      read.execute("lock table weir_windows_default in access share mode");
      for (int batches = 0; batches < 2; batches++) {
        assertThat(days.ensure(connection, many, TODAY)).isEqualTo(many);
      }
      assertThat(strings("select last_value::text from tries")).containsExactly("1");
    } finally {
      execute("drop event trigger try; drop function try(); drop sequence tries");
    }
    days.forget();
    assertThat(days.ensure(connection, many, TODAY)).isEmpty();
  }

  @Test
  void processesThatChangeAnotherTable_doNotBlock_andThoseOfTheSameOneForAShortTime()
      throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    try (Connection other = database(Duration.ofMinutes(5)).open();
        Statement statement = other.createStatement()) {
      DayLocks.begin(statement, "weir_rollups");
      assertThat(days.ensure(connection, Set.of(TODAY + 10), TODAY)).isEmpty();
      DayLocks.begin(statement, "weir_windows");
      assertThat(days.ensure(connection, Set.of(TODAY + 11), TODAY)).containsExactly(TODAY + 11);
    }
  }

  /** Once, the clock of the sink's host was wrong. */
  @Test
  void aStartWithAClockInTheFuture_leavesTodayItsPartition() throws Exception {
    assertThat(new DayPartitions("weir_windows", Validation.NONE).ahead(connection, TODAY + 3_650))
        .isTrue();
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    Batch batch = new Batch();
    add(batch, window("s", TODAY * MS_A_DAY, 1));
    write(batch);
    assertThat(strings("select tableoid::regclass::text from weir_windows"))
        .containsExactly("weir_windows_20261122");
  }

  @Test
  void aDayThatAUsersPartitionedTableHas_isWrittenThere_andDroppedByRetention() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    execute(
        "create table weir_windows_20261222 partition of weir_windows"
            + " for values from ('2026-12-22Z') to ('2026-12-23Z') partition by hash (sensor_id);"
            + " create table half partition of weir_windows_20261222"
            + " for values with (modulus 2, remainder 0)");
    assertThat(days.ensure(connection, Set.of(TODAY + 30), TODAY)).isEmpty();
    assertThat(days.retain(connection, Duration.ofDays(1), (TODAY + 32) * MS_A_DAY)).isTrue();
    assertThat(partitions("weir_windows")).containsExactly("weir_windows_default");
  }

  /** Beside a dump and a report, which hold their locks for as long as they take. */
  @Test
  void noReaderWaitsForLong_whileDaysAreAttachedAndDropped() throws Exception {
    DayPartitions days = new DayPartitions("weir_windows", Validation.NONE);
    assertThat(days.ahead(connection, TODAY)).isTrue();
    Batch batch = new Batch();
    add(batch, window("long-ago", 0, 1));
    add(batch, window("today", TODAY * MS_A_DAY, 1));
    write(batch);
    AtomicLong reads = new AtomicLong();
    AtomicBoolean stopped = new AtomicBoolean();
    ExecutorService dashboard = Executors.newSingleThreadExecutor();
    try (Connection dump = database(Duration.ofMinutes(5)).open();
        Statement statement = dump.createStatement()) {
      Future<Void> reader = dashboard.submit(() -> read(reads, stopped));
      for (int round = 1; round <= 4; round++) {
        int today = TODAY + 5 * round;
        long nowMs = today * MS_A_DAY;
        statement.execute("select count(*) from weir_windows");
        assertThat(days.ahead(connection, today)).isFalse();
        assertThat(days.retain(connection, Duration.ofDays(1), nowMs)).isFalse();
        dump.rollback();
        assertThat(days.ahead(connection, today)).isTrue();
        assertThat(days.retain(connection, Duration.ofDays(1), nowMs)).isTrue();
        long before = reads.get();
        Await.until(() -> reads.get() > before || reader.isDone());
      }
      stopped.set(true);
      reader.get();
    } finally {
      stopped.set(true);
      dashboard.shutdown();
    }
  }

  /** Fails if a lock takes more than two seconds. */
  private static Void read(AtomicLong reads, AtomicBoolean stopped) throws SQLException {
    try (Connection own = database(Duration.ofMinutes(5)).open();
        Statement statement = own.createStatement()) {
      statement.execute("set lock_timeout = '2s'");
      own.commit();
      while (!stopped.get()) {
        statement.execute("select count(*) from weir_windows");
        own.commit();
        reads.incrementAndGet();
      }
      return null;
    }
  }

  /** Rows that are read by whoever looks for some. */
  private long rowsScanned() throws SQLException {
    execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        strings(
                "select seq_tup_read::text from pg_stat_user_tables"
                    + " where relname = 'weir_windows_default'")
            .get(0));
  }

  private List<String> partitions(String table) throws SQLException {
    return strings(
        "select inhrelid::regclass::text from pg_inherits"
            + " where inhparent = '%s'::regclass order by 1".formatted(table));
  }
}
