package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.Await;
import io.weir.Queries;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.Budget.Bucket;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.RejectRetention;
import io.weir.lab.EmbeddedPostgres;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
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
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of a real PostgreSQL, and a Kafka that acknowledges everything at once. */
@Timeout(300)
class OutboxRowsTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

  private static EmbeddedPostgres postgres;
  private static int tests;

  private final Map<String, String> settings = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private String schema;
  private Queries queries;

  @BeforeAll
  static void startServer() {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void closeServer() {
    postgres.close();
  }

  @BeforeEach
  void makeOutbox() throws SQLException {
    schema = "rows" + ++tests;
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("create schema " + schema);
    }
    settings.put("bootstrap.servers", "localhost:1");
    settings.put("collect.jdbc.url", url());
    settings.put("collect.batch.timeout", "20ms");
    settings.put("gateway.id", "db");
    settings.put("events", "true");
    queries = new Queries(url());
    CollectSchema.init(config().collect(), true);
  }

  @AfterEach
  void closeQueries() throws SQLException {
    queries.close();
  }

  @Test
  void rejects_areDeletedAfterTheirRetention() throws Exception {
    execute(
        "insert into weir_outbox_rejects (id, xact, priority, reason, message, rejected_at) select"
            + " n, '1', 1, case n when 32 then 'INVALID_EVENT' else 'INVALID_READING' end, 'm',"
            + " now() - n * interval '1 day' from generate_series(28, 32) n");

    try (Running running = new Running()) {
      running.await(
          "old rejects are gone",
          () -> query("select count(*) from weir_outbox_rejects where id > 30") == 0);
      running.await("they are counted", () -> running.counters.rejectsDeleted() == 3);
    }
    assertThat(query("select count(*) from weir_outbox_rejects")).isEqualTo(2);
    assertThat(
            query(
                "select deleted from weir_outbox_rejects_deleted where reason = 'INVALID_READING'"))
        .isEqualTo(2);
    assertThat(query("select sum(deleted) from weir_outbox_rejects_deleted")).isEqualTo(3);
  }

  @Test
  void rejects_areDeleted_alsoUnderAPublicationForAllTables() throws Exception {
    execute(
        "insert into weir_outbox_rejects (id, xact, priority, reason, message, rejected_at)"
            + " values (1, '1', 1, 'INVALID_READING', 'm', now() - interval '40 days')");
    execute("create publication everything for all tables");
    try (Connection own = open()) {
      RejectRetention retention =
          new RejectRetention("weir_outbox_rejects", "rejected_at", Duration.ofDays(30));
      assertThat(retention.run(own, 0)).isEqualTo(1);
    } finally {
      execute("drop publication everything");
    }
  }

  @Test
  void guardOfWeirCollector_looksIntoItsOwnOutbox() throws Exception {
    try (Connection own = open()) {
      assertThat(new Lease("db", LEASE).acquire(own)).isTrue();
    }
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value) values ('s', 1, 1);"
            + " create schema %1$s_other; create table %1$s_other.weir_outbox (id int)"
                .formatted(schema));

    assertThatThrownBy(
            () ->
                execute(
                    "set search_path = %1$s_other; delete from %1$s.weir_collector"
                        .formatted(schema)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("would be sent again");
  }

  /** It could be before the last row that was read, and would be deleted as sent. */
  @Test
  void priorityOfARow_cannotBeChanged_andOtherColumnsCan() throws Exception {
    execute("insert into weir_outbox (sensor_id, timestamp_ms, value) values ('s', 1, 1)");

    assertThatThrownBy(() -> execute("update weir_outbox set priority = 0"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("cannot be changed");

    execute("update weir_outbox set priority = 1, value = 2");
    assertThat(query("select value from weir_outbox")).isEqualTo(2);
  }

  @Test
  void eventThatTheServerCannotConvert_isRejected_andTheOthersFlow() throws Exception {
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 'before', n, n from generate_series(1, 20) n");
    // 33 kB stored; as text more than a server may allocate.
    execute(
        "insert into weir_outbox (key, timestamp_ms, event) values ('k', 1, jsonb_build_object("
            + "'type', 't', 'fields', (select jsonb_object_agg('f' || n, 1e131071::numeric)"
            + " from generate_series(1, 8300) n)))");
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 'behind', n, n from generate_series(1, 20) n");

    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
    }

    assertThat(
            query(
                "select count(*) from weir_outbox_rejects where key = 'k'"
                    + " and reason = 'EVENT_TOO_LARGE' and pg_column_size(event) > 10000"))
        .isEqualTo(1);
    assertThat(query("select count(*) from weir_outbox_rejects")).isEqualTo(1);
  }

  /** Some bytes of a row would be 131 kB of text each, and a neighbour would wait for all of it. */
  @Test
  void smallEventsOfHugeNumbers_areRejected_andNobodyReadsTheirText() throws Exception {
    execute(
        "insert into weir_outbox (key, timestamp_ms, event)"
            + " select 'k', 1, jsonb_build_object('fields', jsonb_build_object('f', x))"
            + " from generate_series(1, 100),"
            + " unnest(array[1e131071, -1e131071, 1e-16383, -1e-16383]) as u(x)");
    execute(
        "insert into weir_outbox (key, timestamp_ms, event) select 'honest', 1,"
            + " jsonb_build_object('fields', jsonb_build_object('f', x))"
            + " from unnest(array[0, 1e308, -1e308, 5e-324]) as u(x)");

    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
    }

    assertThat(query("select count(*) from weir_outbox_rejects where reason = 'EVENT_TOO_LARGE'"))
        .isEqualTo(400);
    assertThat(query("select count(*) from weir_outbox_rejects")).isEqualTo(400);
  }

  /** Zeros behind the point take no room on the disk, and all of it as text. */
  @Test
  void eventsOfNumbersWithThousandsOfZeros_areRejected_andNobodyReadsTheirText() throws Exception {
    // As text the first ones have more than PostgreSQL can return, and the others 16 MB each.
    for (int numbers : new int[] {100_000, 1_000}) {
      execute(
          ("insert into weir_outbox (key, timestamp_ms, event) select 'k', 1,"
                  + " jsonb_build_object('fields', (select jsonb_agg(rpad('1.', 16385, '0')::numeric)"
                  + " from generate_series(1, %d))) from generate_series(1, 10)")
              .formatted(numbers));
    }
    execute(
        "insert into weir_outbox (key, timestamp_ms, event) select 'k', 1, x::jsonb from unnest("
            + " array['{\"fields\": {\"f\": 1' || repeat('0', 1000) || '}}',"
            + " '{\"fields\": {\"f\": 0.' || repeat('0', 2001) || '}}',"
            + " '{\"fields\": ' || repeat('[', 50) || '-1.' || repeat('0', 2001)"
            + " || repeat(']', 50) || '}']) as u(x)");

    try (Connection own = open()) {
      List<OutboxRow> rows =
          new Outbox(256).read(own, 1, Cursor.START, 1_000, Integer.MAX_VALUE).rows();
      assertThat(rows).hasSize(23).allMatch(OutboxRow::eventTooLarge);
    }
    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
    }
    assertThat(query("select count(*) from weir_outbox_rejects where reason = 'EVENT_TOO_LARGE'"))
        .isEqualTo(23);
  }

  /** The longest numbers that the parser takes, and many fields. */
  @Test
  void honestEvents_areSent_howeverTheirNumbersAreWritten() throws Exception {
    String small = new BigDecimal(Double.toString(Double.MIN_VALUE)).toPlainString();
    String large = new BigDecimal(Double.MAX_VALUE).toPlainString();
    execute(
        ("insert into weir_outbox (key, timestamp_ms, event) select 'k', 1, ('{\"fields\": {\"f\":"
                + " ' || x || '}}')::jsonb from unnest(array['%s', '-%s', '%s', '-%s.5', '%s', '0',"
                + " '0.000000', '1.50', 'true', '\"\"', '\"' || repeat('x', 200000) || '\"']) as u(x)")
            .formatted(small, small, large, large, "0." + "3".repeat(990)));
    execute(
        "insert into weir_outbox (key, timestamp_ms, event) select 'k', 1,"
            + " jsonb_build_object('fields', (select jsonb_object_agg('f' || n, 5e-324::numeric)"
            + " from generate_series(1, 256) n))");

    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
      assertThat(running.counters.rows("events")).isEqualTo(12);
    }
    assertThat(query("select count(*) from weir_outbox_rejects")).isZero();
  }

  /** One at a time, 100,000 of them would hold up the rows of everybody. */
  @Test
  void manyEventsThatTheServerCannotConvert_areFoundManyAtATime() throws Exception {
    execute(
        "insert into weir_outbox (key, timestamp_ms, event) select case n % 3 when 0 then 'honest'"
            + " else 'k' end, n, case n % 3 when 0 then '{\"fields\": {\"f\": 1}}' else"
            + " (repeat('[', 3000) || repeat(']', 3000)) end::jsonb from generate_series(1, 3000) n");

    int failures = 0;
    int honest = 0;
    int refused = 0;
    try (Connection own =
        DriverManager.getConnection(url() + "&options=-c%20max_stack_depth=200kB")) {
      own.setAutoCommit(false);
      RowReader reader = new RowReader(new Outbox(256));
      for (Cursor after = Cursor.START; honest + refused < 3_000; ) {
        List<OutboxRow> rows;
        try {
          rows = reader.read(own, 1, after, 1_000, Integer.MAX_VALUE).rows();
        } catch (SQLException e) {
          assertThat(reader.learns(own, e)).isTrue();
          failures++;
          continue;
        }
        assertThat(rows).isNotEmpty();
        for (OutboxRow row : rows) {
          assertThat(row.eventTooLarge()).isEqualTo(row.key().equals("k"));
          honest += row.eventTooLarge() ? 0 : 1;
          refused += row.eventTooLarge() ? 1 : 0;
          after = row.cursor();
        }
      }
    }
    assertThat(honest).isEqualTo(1_000);
    assertThat(refused).isEqualTo(2_000);
    assertThat(failures).isBetween(1, 30);
  }

  @Test
  void eventThatIsDamagedOnDisk_isRejectedWithoutIt_andTheOthersFlow() throws Exception {
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 'before', n, n from generate_series(1, 20) n");
    execute("alter table weir_outbox alter event set storage external");
    execute(
        "insert into weir_outbox (key, timestamp_ms, event) values ('k', 1, jsonb_build_object("
            + "'type', 't', 'fields', jsonb_build_object('a', repeat('x', 100000))))");
    loseToast();
    execute("vacuum weir_outbox"); // Else some of it may still be there.
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 'behind', n, n from generate_series(1, 20) n");

    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
    }

    assertThat(query("select count(*) from weir_outbox_rejects where key = 'k' and event is null"))
        .isEqualTo(1);
    assertThat(query("select count(*) from weir_outbox_rejects")).isEqualTo(1);
  }

  @Test
  void commitsThatNotify_doNotReadAgainWhatWaits() throws Exception {
    settings.put("collect.batch.timeout", "2s");
    settings.put("collect.batch.limit", "1000");
    try (Running running = new Running()) {
      running.await("it collects", () -> query("select count(*) from weir_collector") == 1);
      for (int row = 1; row <= 300; row++) {
        execute(
            "insert into weir_outbox (sensor_id, timestamp_ms, value) values ('s', %d, 1)"
                .formatted(row));
      }
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);

      assertThat(running.loop.rowsRead()).isLessThan(3 * 300);
    }
  }

  @Test
  void fullBatch_leavesBeforeItsTimeout() throws Exception {
    settings.put("collect.batch.timeout", "1h");
    settings.put("collect.batch.limit", "10");
    try (Running running = new Running()) {
      running.await("it collects", () -> query("select count(*) from weir_collector") == 1);
      for (int row = 1; row <= 30; row++) {
        execute(
            "insert into weir_outbox (sensor_id, timestamp_ms, value) values ('s', %d, 1)"
                .formatted(row));
      }
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
    }
  }

  @Test
  void budget_goesOnFromTheOneOfTheProcessBefore() throws Exception {
    settings.put("collect.max.rate", "1/d");
    settings.put("collect.burst", "10");
    settings.put("collect.batch.timeout", "1ms");
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 30) n");
    keepBudget(new Bucket(5, 0));

    try (Running running = new Running()) {
      running.await("five left", () -> query("select count(*) from weir_outbox") <= 25);
      running.await(
          "its own is kept", () -> query("select budget_tokens from weir_collector") == 0);
    }
    try (Running running = new Running()) {
      running.await(
          "another one collects",
          () -> query("select count(*) from weir_collector where epoch = 3") == 1);
    }

    assertThat(query("select count(*) from weir_outbox")).isEqualTo(25);
  }

  /** Of 500 rows 10 are of use, which is all that the budget lets through. */
  @Test
  void rowsThatExpired_areNotSent_spendNoBudget_andAreCleaned() throws Exception {
    settings.put("collect.max.rate", "1/d");
    settings.put("collect.burst", "10");
    settings.put("collect.batch.limit", "4");
    execute(
        "insert into weir_outbox (priority, sensor_id, timestamp_ms, value, expires_at)"
            + " select n % 3, 's' || n % 3, n, n,"
            + " case when n % 50 = 25 then 'infinity' else now() - interval '1 ms' * n end"
            + " from generate_series(1, 500) n");
    keepBudget(new Bucket(10, 0));

    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
      assertThat(running.counters.rows("readings")).isEqualTo(10);
      assertThat(running.counters.expired()).isEqualTo(490);
    }
    assertThat(query("select count(*) from weir_outbox_rejects")).isZero();
  }

  /** Whoever ends a rebase, or kills it, does not keep the collector waiting. */
  @Test
  void rebaseThatFails_givesTheLeaseBack_andHoldsItForAMinuteOnly() throws Exception {
    try (Running running = new Running()) {
      running.await("it collects", () -> query("select epoch from weir_collector") == 1);
    }
    environment.put("KAFKA_DEFAULT_API_TIMEOUT_MS", "3000");
    environment.put("KAFKA_REQUEST_TIMEOUT_MS", "2000");
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    Thread rebase = new Thread(() -> catchThrowable(() -> Rebase.run(config())));
    rebase.start();
    long longest = 0;
    while (rebase.isAlive()) {
      assertThat(System.nanoTime()).isLessThan(endNanos);
      longest =
          Math.max(
              longest,
              query(
                  "select (extract(epoch from lease_until - clock_timestamp()) * 1000)::bigint"
                      + " from weir_collector where lease_until > '-infinity'"));
      Await.pause();
    }
    assertThat(query("select epoch from weir_collector")).isEqualTo(2);
    assertThat(longest).isLessThanOrEqualTo(60_000);
    assertThat(query("select count(*) from weir_collector where lease_until <= now()"))
        .isEqualTo(1);
  }

  /** More than are read at once, behind one whose event the server cannot convert. */
  @Test
  void rowsThatExpiredAllOfThem_areCleaned_andNothingIsSent() throws Exception {
    int rows = 2 * Outbox.MOST_EXPIRED + 5;
    execute(
        "insert into weir_outbox (key, timestamp_ms, expires_at, event) values"
            + " ('k', 1, '-infinity', jsonb_build_object('fields',"
            + " (select jsonb_object_agg('f' || n, 1e131071::numeric)"
            + " from generate_series(1, 8300) n)))");
    execute(
        "insert into weir_outbox (key, timestamp_ms, event, expires_at)"
            + " select 'k', n, '{}', '-infinity' from generate_series(2, %d) n".formatted(rows));

    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
      assertThat(running.counters.batches()).isZero();
      assertThat(running.counters.expired()).isEqualTo(rows);
    }
  }

  @Test
  void event_carriesUpToWhenItIsOfUse() throws Exception {
    execute(
        "insert into weir_outbox (key, timestamp_ms, event, expires_at) values"
            + " ('k', 1, '{}', '2100-01-01 00:00:00.0129Z'), ('k', 2, '{}', 'infinity'),"
            + " ('k', 3, '{\"expires_ms\": 4102444800000}', null),"
            + " ('k', 4, '{\"expires_ms\": 4102444800000}', '2100-01-01Z'),"
            + " ('k', 5, '{\"expires_ms\": 4102444800001}', '2100-01-01Z'),"
            + " ('k', 6, '{\"due_ms\": 4102444800001}', '2100-01-01Z')");

    try (Running running = new Running()) {
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
      List<Event> events = new ArrayList<>();
      for (ProducerRecord<byte[], byte[]> record : running.producer.history()) {
        events.addAll(EventBatch.parseFrom(record.value()).getEventsList());
      }
      assertThat(events)
          .extracting(Event::getExpiresMs)
          .containsExactly(4_102_444_800_012L, 0L, 4_102_444_800_000L, 4_102_444_800_000L);
    }
    assertThat(
            query(
                "select count(*) from weir_outbox_rejects"
                    + " where reason = 'INVALID_EVENT' and expires_at = '2100-01-01Z'"))
        .isEqualTo(2);
  }

  /** Cleaning does not get in the way of what is sent. */
  @Test
  void rowsThatAUserRefersTo_stay_andTheOthersAreSentAndCleaned() throws Exception {
    execute(
        "create table audit (id bigint references weir_outbox);"
            + " insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 100) n;"
            + " insert into audit select id from weir_outbox where id = 50");

    try (Running running = new Running()) {
      running.await("others left", () -> query("select count(*) from weir_outbox") <= 10);
      execute(
          "insert into weir_outbox (sensor_id, timestamp_ms, value)"
              + " select 's', n, n from generate_series(101, 200) n");
      running.await("others left", () -> query("select count(*) from weir_outbox") <= 10);
      assertThat(query("select count(*) from weir_outbox where id = 50")).isEqualTo(1);
      assertThat(running.counters.reconnects()).isZero();
      execute("drop table audit");
      running.await("all rows left", () -> query("select count(*) from weir_outbox") == 0);
    }
  }

  @Test
  void rowsThatOthersLock_areDeletedLater() throws Exception {
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 30) n");
    List<Cursor> all = List.of(Cursor.START, lastRow(), Cursor.START);
    try (Connection own = open();
        Connection other = DriverManager.getConnection(url());
        Statement statement = other.createStatement()) {
      Cleaner cleaner = cleaner(own, 0);
      other.setAutoCommit(false);
      statement.execute("select from weir_outbox where timestamp_ms = 7 for update");
      cleanAll(cleaner, own, all, 0);
      assertThat(query("select timestamp_ms from weir_outbox")).isEqualTo(7);
      other.rollback();

      cleanAll(cleaner, own, all, 0);
      assertThat(query("select count(*) from weir_outbox")).isEqualTo(1);
      cleanAll(cleaner, own, all, 10_000);
    }
    assertThat(query("select count(*) from weir_outbox")).isZero();
  }

  /** Rows of all priorities keep coming. */
  @Test
  void rowThatOthersLocked_isDeletedLater_alsoWhileAllPrioritiesAreBusy() throws Exception {
    try (Connection own = open();
        Connection other = DriverManager.getConnection(url());
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      Cleaner cleaner = cleaner(own, 0);
      Outbox outbox = new Outbox(256);
      List<Cursor> sent = new ArrayList<>(State.begin(1).cursors());
      for (int second = 0; second < 100; second++) {
        execute(
            "insert into weir_outbox (priority, sensor_id, timestamp_ms, value)"
                + " select p, 's', %d, 1 from generate_series(0, 2) p".formatted(second + 1));
        if (second == 20) {
          statement.execute("select from weir_outbox where timestamp_ms = 21 for update");
        } else if (second == 21) {
          other.rollback();
        }
        for (int priority = 0; priority < State.PRIORITIES; priority++) {
          List<OutboxRow> rows = outbox.read(own, priority, sent.get(priority), 10, 1 << 20).rows();
          sent.set(priority, rows.get(rows.size() - 1).cursor());
        }
        own.commit();
        for (int step = 0;
            step < State.PRIORITIES && cleaner.isDue(sent, second * 1_000L);
            step++) {
          cleaner.clean(own, sent, second * 1_000L);
        }
      }
    }
    assertThat(query("select count(*) from weir_outbox where timestamp_ms <= 21")).isZero();
  }

  @Test
  void cleaning_goesOnWhereTheProcessBeforeWas() throws Exception {
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 30) n");
    List<Cursor> all = List.of(Cursor.START, lastRow(), Cursor.START);
    try (Connection own = open()) {
      cleanAll(cleaner(own, 0), own, all, 0);
    }
    // They lie behind what was cleaned: only a sweep finds them.
    execute(
        "insert into weir_outbox (xact, sensor_id, timestamp_ms, value) values ('1', 's', 1, 1)");
    try (Connection own = open()) {
      Cleaner cleaner = cleaner(own, 0);
      assertThat(cleaner.isDue(all, 9_999)).isFalse();
      cleanAll(cleaner, own, all, 10_000);
    }
    assertThat(query("select count(*) from weir_outbox")).isZero();
  }

  @Test
  void cleaningThatIsSlow_isDoneInShorterSteps() throws Exception {
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 100) n");
    execute(
        "create function slow() returns trigger language plpgsql as"
            + " $$ begin perform pg_sleep(0.02); return old; end $$");
    execute(
        "create trigger slow before delete on weir_outbox for each row execute function slow()");
    List<Cursor> all = List.of(Cursor.START, lastRow(), Cursor.START);
    try (Connection own = open()) {
      cleanAll(cleaner(own, 0), own, all, 0);
    }
    assertThat(query("select count(*) from weir_outbox")).isZero();
  }

  /** It orders transactions of one key, because each has its place from its first write. */
  @Test
  void advisoryLock_doesNotCountAsAWrite() throws Exception {
    try (Connection own = open();
        Statement statement = own.createStatement()) {
      statement.execute("select pg_advisory_xact_lock(hashtext('machine-7'))");
      try (ResultSet result = statement.executeQuery("select pg_current_xact_id_if_assigned()")) {
        result.next();
        assertThat(result.getString(1)).isNull();
      }
    }
  }

  /** As after the clock of the server was set back by a day, and the end of the process. */
  @Test
  void leaseThatEndsLaterThanAnyLease_isFree() throws Exception {
    try (Connection own = open()) {
      assertThat(new Lease("db", LEASE).acquire(own)).isTrue();
      assertThat(new Lease("db", LEASE).acquire(own)).isFalse();

      execute("update weir_collector set lease_until = clock_timestamp() + interval '1 day'");

      assertThat(new Lease("db", LEASE).acquire(own)).isTrue();
    }
  }

  /** As a snapshot of the disk that was put back: server, timeline and oids are the same. */
  @Test
  void databaseThatWentBack_isRefusedByTheProcessThatCommittedMore_andByLaterOnes()
      throws Exception {
    Lease lease = new Lease("db", LEASE);
    try (Connection own = open()) {
      assertThat(lease.acquire(own)).isTrue();
      execute("create table snapshot as select * from weir_collector");
      Cursor sent = new Cursor(5_000, 70);
      State before = lease.state();
      lease.commit(
          own,
          new State(before.bootId(), List.of(sent, sent, sent), before.sequences(), List.of()),
          Optional.empty());
    }
    try (Connection again = open()) {
      assertThat(lease.acquire(again)).isTrue();
      execute("update weir_collector c set cursors = s.cursors from snapshot s");

      assertThatThrownBy(() -> lease.acquire(again))
          .isInstanceOf(CollectRefusedException.class)
          .hasMessageContaining("weir collect --rebase");
      assertThatThrownBy(() -> new Lease("db", LEASE).acquire(again))
          .isInstanceOf(CollectRefusedException.class)
          .hasMessageContaining("weir collect --rebase");
    }
  }

  /** What a disk does that loses a page: the row is there, its large value is not. */
  private void loseToast() throws SQLException {
    execute(
        """
        set allow_system_table_mods = on;
        do $$
        declare toast oid := (select reltoastrelid from pg_class
                               where oid = 'weir_outbox'::regclass);
        begin
          update pg_class set relkind = 'r' where oid = toast;
          execute 'delete from ' || toast::regclass;
          update pg_class set relkind = 't' where oid = toast;
        end $$\
        """);
  }

  private Cleaner cleaner(Connection connection, long nowMs) throws SQLException {
    Lease lease = new Lease("db", Duration.ofMillis(1));
    assertThat(lease.acquire(connection)).isTrue();
    Cleaner cleaner = new Cleaner(new Outbox(256), lease);
    cleaner.begin(lease.cleaned(), nowMs);
    return cleaner;
  }

  private static void cleanAll(Cleaner cleaner, Connection connection, List<Cursor> all, long nowMs)
      throws Exception {
    for (int step = 0; cleaner.isDue(all, nowMs); step++) {
      assertThat(step).isLessThan(100);
      cleaner.clean(connection, all, nowMs);
    }
  }

  private Cursor lastRow() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("select xact || ' ' || id from weir_outbox order by id desc")) {
      result.next();
      return Cursor.parse(result.getString(1));
    }
  }

  private void keepBudget(Bucket bucket) throws Exception {
    try (Connection connection = open()) {
      Lease lease = new Lease("db", LEASE);
      assertThat(lease.acquire(connection)).isTrue();
      lease.commit(connection, lease.state(), Optional.of(bucket));
      lease.release(connection);
    }
  }

  private Connection open() throws SQLException {
    return Session.open(
        new Database(CollectSchema.address(config().collect()), Database.Limits.of(LEASE)));
  }

  private String url() {
    return postgres.jdbcUrl() + "&currentSchema=" + schema;
  }

  private WeirConfig config() {
    return WeirConfig.of(new Properties(), environment, settings);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long query(String sql) throws SQLException {
    return queries.number(sql);
  }

  /** A question that may fail. */
  private interface Asked {
    boolean get() throws SQLException;
  }

  /** A loop in a thread. */
  private final class Running implements AutoCloseable {
    private final CollectLoop loop;
    private final CollectCounters counters = new CollectCounters();
    private final MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Thread thread;

    Running() {
      WeirConfig config = config();
      this.loop =
          new CollectLoop(
              new CollectPlan("db", config.collect(), config.limits(), true, LEASE),
              new Database(CollectSchema.address(config.collect()), Database.Limits.of(LEASE)),
              new Sender(new OutgoingRecords(config, "db"), () -> producer),
              new CollectStatus(),
              counters);
      this.thread = new Thread(this::run);
      thread.start();
    }

    private void run() {
      try {
        loop.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void await(String what, Asked isSo) throws Exception {
      long endNanos = System.nanoTime() + TIMEOUT_NANOS;
      while (!isSo.get()) {
        assertThat(System.nanoTime()).as(what).isLessThan(endNanos);
        assertThat(thread.isAlive()).as(what).isTrue();
        Await.pause();
      }
    }

    @Override
    public void close() {
      loop.stop();
      try {
        thread.join(TimeUnit.NANOSECONDS.toMillis(TIMEOUT_NANOS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      assertThat(thread.isAlive()).isFalse();
    }
  }
}
