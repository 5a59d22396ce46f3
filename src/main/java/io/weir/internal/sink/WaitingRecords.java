package io.weir.internal.sink;

import io.weir.internal.postgres.SqlFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records in weir_sink_waiting, which are written when their day has a partition: some at a
 * time, between other batches. A newer row stays. A table that is locked or slow delays the other
 * batches by a short timeout in each interval. Several processes at once are safe. One thread.
 */
final class WaitingRecords {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingRecords.class);

  private static final String TABLE = "weir_sink_waiting";
  private static final long EVERY_MS = TimeUnit.SECONDS.toMillis(10);
  private static final int MOST = 1_000;

  /** The highest number that is reported. Counting all of millions would take long. */
  private static final int COUNTED = 10_000;

  private static final String SHORT =
      "set local lock_timeout = '1s'; set local statement_timeout = '1s'";
  private static final String COUNT =
      "select count(*) from (select from %s where topic = any (?) limit %d) t"
          .formatted(TABLE, COUNTED);

  /** Goes from day to day in the index, whatever the number of records. */
  private static final String DAYS =
      """
      with recursive days as (
        (select topic, day from %1$s order by topic, day limit 1)
        union all
        select n.topic, n.day
          from days d cross join lateral (
            select w.topic, w.day from %1$s w where (w.topic, w.day) > (d.topic, d.day)
             order by w.topic, w.day limit 1) n)
      select topic, day from days where topic = any (?)"""
          .formatted(TABLE);

  private static final String SELECT =
      """
      select %s
        from %s
       where topic = ? and day = ?
       order by topic_generation, kafka_partition, kafka_offset
       limit ?"""
          .formatted(StoredRecords.COLUMNS, TABLE);

  private final Map<String, TableMapping> mappings;
  private final Upkeep upkeep;
  private long nextMs = Long.MIN_VALUE;
  private int most = MOST;
  private long counted;

  /**
   * @param mappings by topic
   */
  WaitingRecords(Map<String, TableMapping> mappings, Upkeep upkeep) {
    this.mappings = mappings;
    this.upkeep = upkeep;
  }

  /**
   * The result of a step.
   *
   * @param waiting records that waited before, at most {@value #COUNTED}
   */
  record Step(long waiting, List<Reject> rejects) {}

  boolean isDue(long elapsedMs) {
    return elapsedMs >= nextMs;
  }

  /** Writes some, if the day of any has a partition now. */
  Step run(Connection connection, BatchWriter writer, long elapsedMs) throws SQLException {
    nextMs = elapsedMs + EVERY_MS;
    try {
      List<Reject> rejects = List.of();
      counted = count(connection);
      List<Day> days = counted == 0 ? List.of() : days(connection);
      connection.commit();
      for (Day day : days) {
        if (hasPartition(day, connection)) {
          rejects = write(connection, writer, day);
          nextMs = elapsedMs;
          break;
        }
      }
      return new Step(counted, rejects);
    } catch (SQLException e) {
      if (!DayLocks.isLater(e)) {
        throw e;
      }
      connection.rollback();
      LOG.warn("{} is locked or slow, retrying later: {}", TABLE, SqlFailures.line(e));
      return new Step(counted, List.of());
    }
  }

  private record Day(String topic, int day) {}

  private static void shorten(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(SHORT);
    }
  }

  private PreparedStatement ofTopics(Connection connection, String query) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(query);
    statement.setArray(1, connection.createArrayOf("text", mappings.keySet().toArray()));
    return statement;
  }

  private long count(Connection connection) throws SQLException {
    shorten(connection);
    try (PreparedStatement statement = ofTopics(connection, COUNT);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private List<Day> days(Connection connection) throws SQLException {
    List<Day> days = new ArrayList<>();
    try (PreparedStatement statement = ofTopics(connection, DAYS);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        days.add(new Day(row.getString(1), row.getInt(2)));
      }
    }
    return days;
  }

  private boolean hasPartition(Day day, Connection connection) throws SQLException {
    return upkeep.apart(connection, mappings.get(day.topic()).table(), Set.of(day.day())).isEmpty();
  }

  private List<Reject> write(Connection connection, BatchWriter writer, Day day)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
      shorten(connection);
      statement.setString(1, day.topic());
      statement.setInt(2, day.day());
      statement.setInt(3, most);
      StoredRecords some = StoredRecords.read(statement);
      connection.commit();
      BatchWriter.With with =
          () -> {
            shorten(connection);
            some.delete(connection, TABLE);
          };
      List<Reject> rejects = writer.write(some.batch(mappings), with, () -> true).orElseThrow();
      most = Math.min(MOST, 2 * most);
      return rejects;
    } catch (FencedPartitionsException e) {
      throw new IllegalStateException(e); // No offset is written.
    } catch (SQLException e) {
      most = Math.max(1, most / 2); // It may have taken too long.
      throw e;
    }
  }
}
