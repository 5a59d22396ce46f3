package io.weir.internal.sink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The records in weir_sink_waiting, which are written when their day has a partition: some at a
 * time, between other batches. A newer row stays. Several processes at once are safe. One thread.
 */
final class WaitingRecords {
  private static final String TABLE = "weir_sink_waiting";
  private static final long EVERY_MS = TimeUnit.SECONDS.toMillis(10);
  private static final int MOST = 1_000;
  private static final String DAYS =
      "select topic, day, count(*) from " + TABLE + " where topic = any (?) group by 1, 2";
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
   * @param waiting records that waited before
   */
  record Step(long waiting, List<Reject> rejects) {}

  boolean isDue(long elapsedMs) {
    return elapsedMs >= nextMs;
  }

  /** Writes some, if the day of any has a partition now. */
  Step run(Connection connection, BatchWriter writer, long elapsedMs) throws SQLException {
    nextMs = elapsedMs + EVERY_MS;
    long waiting = 0;
    String topic = null;
    int day = 0;
    try (PreparedStatement statement = connection.prepareStatement(DAYS)) {
      statement.setArray(1, connection.createArrayOf("text", mappings.keySet().toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          waiting += row.getLong(3);
          if (topic == null && hasPartition(row.getString(1), row.getInt(2), connection)) {
            topic = row.getString(1);
            day = row.getInt(2);
          }
        }
      }
    }
    connection.commit();
    if (topic == null) {
      return new Step(waiting, List.of());
    }
    nextMs = elapsedMs;
    return new Step(waiting, write(connection, writer, topic, day));
  }

  private boolean hasPartition(String topic, int day, Connection connection) throws SQLException {
    return upkeep.apart(connection, mappings.get(topic).table(), Set.of(day)).isEmpty();
  }

  private List<Reject> write(Connection connection, BatchWriter writer, String topic, int day)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
      statement.setString(1, topic);
      statement.setInt(2, day);
      statement.setInt(3, most);
      StoredRecords some = StoredRecords.read(statement);
      connection.commit();
      List<Reject> rejects =
          writer
              .write(some.batch(mappings), () -> some.delete(connection, TABLE), () -> true)
              .orElseThrow();
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
