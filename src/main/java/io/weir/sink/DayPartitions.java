package io.weir.sink;

import io.weir.postgres.SqlFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of one table, one for each day (UTC). Days of the last {@value #DAYS_BACK} days
 * and of tomorrow get one when they are needed; all others are in the default partition, and so is
 * a day whose partition could not be made since another transaction held a lock on the default
 * partition. One thread; several processes at once are safe.
 */
final class DayPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(DayPartitions.class);

  static final int DAYS_BACK = 31;
  static final int DAYS_AHEAD = 1;

  private static final long LOCK = 0x77656972_0003L;
  private static final String LOCK_TIMEOUT = "2s";
  private static final int DELETED_AT_ONCE = 50_000;
  private static final DateTimeFormatter NAME = DateTimeFormatter.BASIC_ISO_DATE;
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String ROWS_IN_DEFAULT = "23514";

  private final String table;
  private final Pattern names;
  private final Set<Integer> known = new HashSet<>();

  DayPartitions(String table) {
    this.table = table;
    this.names = Pattern.compile(Pattern.quote(table) + "_(\\d{8})");
  }

  /**
   * Makes the partitions of days that need one, in transactions of their own.
   *
   * @param days in days since 1970-01-01
   * @param today likewise
   */
  void ensure(Connection connection, Set<Integer> days, int today) throws SQLException {
    for (int day : days) {
      boolean wanted = day >= today - DAYS_BACK && day <= today + DAYS_AHEAD;
      if (wanted && !known.contains(day)) {
        create(connection, LocalDate.ofEpochDay(day));
        known.add(day);
      }
    }
  }

  /** Those of today and tomorrow, ahead of time. */
  void ahead(Connection connection, int today) throws SQLException {
    ensure(connection, Set.of(today, today + DAYS_AHEAD), today);
  }

  /** Attaching a table locks readers and writers of the default partition alone. */
  private void create(Connection connection, LocalDate day) throws SQLException {
    String name = table + "_" + day.format(NAME);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
      statement.execute("set local lock_timeout = '" + LOCK_TIMEOUT + "'");
      if (!exists(connection, name)) {
        statement.execute(
            "create table %s (like %s including all excluding identity)".formatted(name, table));
        statement.execute(
            "alter table %s attach partition %s for values from ('%s 00:00:00+00') to ('%s 00:00:00+00')"
                .formatted(table, name, day, day.plusDays(1)));
      }
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      boolean toDefault =
          LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || ROWS_IN_DEFAULT.equals(e.getSQLState());
      if (!toDefault) {
        throw e;
      }
      LOG.warn("{} of {} stays in the default partition: {}", table, day, SqlFailures.line(e));
    }
  }

  private static boolean exists(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select to_regclass(?)")) {
      statement.setString(1, name);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getString(1) != null;
      }
    }
  }

  /**
   * Drops the partitions of days that ended that long ago, and deletes such rows of the default
   * partition. A partition in use by a reader is left for the next time.
   */
  void retain(Connection connection, Duration retention, long nowMs) throws SQLException {
    long cutoffMs = nowMs - retention.toMillis();
    LocalDate firstKept =
        LocalDate.ofEpochDay(Math.floorDiv(cutoffMs, Duration.ofDays(1).toMillis()));
    for (String partition : partitions(connection)) {
      Matcher name = names.matcher(partition);
      if (name.matches() && LocalDate.parse(name.group(1), NAME).isBefore(firstKept)) {
        drop(connection, partition);
      }
    }
    deleteFromDefault(connection, firstKept);
  }

  private void drop(Connection connection, String partition) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local lock_timeout = '" + LOCK_TIMEOUT + "'");
      statement.execute("drop table if exists " + partition);
      connection.commit();
      LOG.info("dropped {}", partition);
    } catch (SQLException e) {
      connection.rollback();
      if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw e;
      }
      LOG.info("{} is in use, and dropped later", partition);
    }
  }

  private void deleteFromDefault(Connection connection, LocalDate firstKept) throws SQLException {
    String delete =
        "delete from %1$s_default where ctid = any(array(select ctid from %1$s_default where window_start < '%2$s 00:00:00+00' limit %3$d))"
            .formatted(table, firstKept, DELETED_AT_ONCE);
    try (Statement statement = connection.createStatement()) {
      int deleted;
      do {
        deleted = statement.executeUpdate(delete);
        connection.commit();
      } while (deleted == DELETED_AT_ONCE);
    }
  }

  /** Names of the table's partitions, without their schema. */
  private List<String> partitions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = '%s'::regclass"
                    .formatted(table))) {
      List<String> partitions = new ArrayList<>();
      while (result.next()) {
        partitions.add(result.getString(1));
      }
      return partitions;
    } finally {
      connection.commit();
    }
  }
}
