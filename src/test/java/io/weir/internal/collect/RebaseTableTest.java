package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.postgres.Database;
import io.weir.lab.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a rebase does to the outbox, beside applications. */
@Timeout(300)
class RebaseTableTest {
  private static final String INSERT =
      "insert into weir_outbox (sensor_id, timestamp_ms, value) values ('%s', 1, 1)";
  private static final Cursor OF_ANOTHER_SERVER = new Cursor(1L << 40, 1_000_000);
  private static final SentScan.Progress NONE = () -> {};
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

  private static EmbeddedPostgres postgres;
  private static Database database;

  @BeforeAll
  static void startServer() {
    postgres = EmbeddedPostgres.start();
    WeirConfig config =
        WeirConfig.of(
            new Properties(),
            Map.of(),
            Map.of(
                "bootstrap.servers",
                "localhost:1",
                "collect.jdbc.url",
                postgres.jdbcUrl(),
                "gateway.id",
                "db"));
    CollectSchema.init(config.collect(), false);
    database =
        new Database(
            CollectSchema.address(config.collect()), Database.Limits.of(Duration.ofMinutes(1)));
  }

  @AfterAll
  static void closeServer() {
    postgres.close();
  }

  @BeforeEach
  void emptyOutbox() throws SQLException {
    try (Connection connection = Session.open(database)) {
      execute(connection, "truncate weir_outbox");
      connection.commit();
    }
  }

  /** The row of a savepoint has the number of the savepoint, one of an update has another. */
  @Test
  void rowsThatWereInsertedAfterADumpWasRestored_areNotMarkedAsSent_howeverTheyWereWritten()
      throws Exception {
    try (Connection connection = Session.open(database)) {
      execute(connection, INSERT.formatted("plain"));
      connection.commit();
      execute(connection, INSERT.formatted("before a savepoint"));
      execute(connection, "savepoint s");
      execute(connection, INSERT.formatted("in a savepoint"));
      execute(connection, "release s");
      connection.commit();
      execute(
          connection,
          "do $$ begin begin "
              + INSERT.formatted("in a block")
              + "; exception when others then raise; end; end $$");
      execute(connection, INSERT.formatted("updated"));
      connection.commit();
      execute(connection, "update weir_outbox set value = 2 where sensor_id = 'updated'");
      connection.commit();

      rebaseOfADump(connection);

      assertThat(query(connection, "select count(*) from weir_outbox where xact > '1'"))
          .isEqualTo(5);
    }
  }

  @Test
  void rowsThatADumpBrought_areMarkedAsSent_upToTheCursors() throws Exception {
    try (Connection connection = Session.open(database)) {
      execute(
          connection,
          "insert into weir_outbox (xact, sensor_id, timestamp_ms, value)"
              + " select x::text::xid8, 's', 1, 1 from unnest(array[5, 1000000, 1099511627776,"
              + " 1099511627777]) x");
      connection.commit();

      rebaseOfADump(connection);

      assertThat(query(connection, "select count(*) from weir_outbox where xact = '0'"))
          .isEqualTo(3);
      assertThat(query(connection, "select count(*) from weir_outbox where xact = '1'"))
          .isEqualTo(1);
    }
  }

  @Test
  void whileATransactionIsOpen_othersInsert_andRowsThatWereSentAreMarkedBeforeTheLock()
      throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection open = Session.open(database);
        Connection rebase = Session.open(database);
        Connection application = Session.open(database)) {
      execute(
          application,
          "insert into weir_outbox (sensor_id, timestamp_ms, value)"
              + " select 's', n, n from generate_series(1, 25000) n");
      application.commit();
      execute(open, INSERT.formatted("open"));
      Cursor all = new Cursor(Long.MAX_VALUE, 0);
      RebaseTable table = table(false);
      Future<?> locked =
          thread.submit(
              () -> {
                table.markSent(rebase, List.of(all, all, all), NONE);
                table.lock(rebase, NONE);
                return null;
              });
      await(
          application,
          "select count(*) from pg_locks"
              + " where relation = 'weir_outbox'::regclass and not granted");
      assertThat(query(application, "select count(*) from weir_outbox where xact <> '0'")).isZero();
      execute(application, "set lock_timeout = '60s'");

      execute(application, INSERT.formatted("other"));

      application.commit();
      assertThat(locked).isNotDone();
      open.rollback();
      locked.get();
    } finally {
      thread.shutdownNow();
    }
  }

  private static void rebaseOfADump(Connection connection) throws Exception {
    List<Cursor> cursors = List.of(OF_ANOTHER_SERVER, OF_ANOTHER_SERVER, OF_ANOTHER_SERVER);
    RebaseTable table = table(true);
    table.markSent(connection, cursors, NONE);
    table.lock(connection, NONE);
    table.renumber(connection, cursors, new Contents());
    connection.commit();
  }

  private static RebaseTable table(boolean dump) {
    return new RebaseTable(new Outbox(256), new RowJudge(256, 1 << 20, true), dump);
  }

  private static void await(Connection connection, String count) throws SQLException {
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (query(connection, count) == 0) {
      connection.commit();
      assertThat(System.nanoTime()).as(count).isLessThan(endNanos);
      Await.pause();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
