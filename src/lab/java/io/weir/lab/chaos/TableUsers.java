package io.weir.lab.chaos;

import io.weir.lab.oracle.Findings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * Others on the database: columns, an index and triggers of their own on Weir's tables, dumps that
 * hold their locks, readers that hold their snapshots. Their triggers are as slow as a disk where
 * that is asked for, and refuse some rows. Safe for several threads.
 */
final class TableUsers {
  private static final List<String> TABLES =
      List.of("weir_windows", "weir_rollups", "weir_hopping");
  private static final Duration AGAIN = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final String SETTINGS =
      """
      create table chaos_users (delay_ms int not null, refuses boolean not null);
      insert into chaos_users values (0, false);
      create function chaos_users_slow() returns trigger language plpgsql as $$
      begin
        perform pg_sleep(delay_ms / 1000.0) from chaos_users where delay_ms > 0;
        return new;
      end
      $$;
      create function chaos_users_refuse() returns trigger language plpgsql as $$
      begin
        if new.sensor_id like '%7' and (select refuses from chaos_users) then
          raise exception 'no % now', new.sensor_id;
        end if;
        return new;
      end
      $$""";
  private static final String OF_TABLE =
      """
      alter table %1$s add column plant text not null default 'hall 2',
                       add column twice float8 generated always as (sum * 2) stored;
      create index on %1$s (plant, window_start);
      create trigger chaos_users_refuse before insert or update on %1$s
        for each row execute function chaos_users_refuse();
      create trigger chaos_users_slow before insert or update on %1$s
        for each row execute function chaos_users_slow()""";
  private static final String OF_COLLECTOR =
      """
      create trigger chaos_users_slow before update on weir_collector
        for each row execute function chaos_users_slow()""";

  private final String jdbcUrl;

  TableUsers(String jdbcUrl) {
    this.jdbcUrl = jdbcUrl;
  }

  /** Adds what they have to Weir's tables. */
  static void install(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(SETTINGS);
      for (String table : TABLES) {
        statement.execute(OF_TABLE.formatted(table));
      }
      statement.execute(OF_COLLECTOR);
    }
  }

  /** Holds the locks of a dump for a time; ends with the server, where that is killed. */
  void dump(Duration time) {
    hold("lock table " + String.join(", ", TABLES) + ", weir_outbox in access share mode", time);
  }

  /** Holds a snapshot for a time, within a transaction that has an id. */
  void read(Duration time) {
    hold("select pg_current_xact_id(), count(*) from weir_outbox, weir_sink_offsets", time);
  }

  private void hold(String sql, Duration time) {
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute(sql);
      Waiting.until(time, () -> false);
      connection.rollback();
    } catch (SQLException e) {
      // The server was killed, or their backend.
    }
  }

  /** Each row takes so long, for a time. */
  void slow(int delayMs, Duration time) {
    set("delay_ms = " + delayMs);
    Waiting.until(time, () -> false);
    set("delay_ms = 0");
  }

  /** Some rows are refused, for a time. */
  void refuse(Duration time) {
    set("refuses = true");
    Waiting.until(time, () -> false);
    set("refuses = false");
  }

  private void set(String what) {
    Waiting.until(
        TIMEOUT,
        () -> {
          try (Connection connection = DriverManager.getConnection(jdbcUrl);
              Statement statement = connection.createStatement()) {
            return statement.executeUpdate("update chaos_users set " + what) == 1;
          } catch (SQLException e) {
            Waiting.until(AGAIN, () -> false);
            return false;
          }
        });
  }

  /** What their columns say that is not so. */
  static Findings check(Connection connection) throws SQLException {
    Findings findings = new Findings();
    for (String table : TABLES) {
      String sql =
          "select count(*) from %s where plant <> 'hall 2' or twice is distinct from sum * 2"
              .formatted(table);
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        row.next();
        if (row.getLong(1) > 0) {
          findings.wrongRecord(row.getLong(1) + " rows of " + table + " lack what users added");
        }
      }
    }
    return findings;
  }
}
