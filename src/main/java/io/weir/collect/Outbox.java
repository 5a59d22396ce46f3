package io.weir.collect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The table weir_outbox. Stateless; a connection is one thread's, and the caller ends its
 * transactions.
 *
 * <p>Rows are read in the order of (xact, id), the columns and not their texts, and only those of
 * transactions before the oldest one that still runs.
 */
final class Outbox {
  /** Largest text of an event that is looked at; one that is accepted has half of it in bytes. */
  static final int MAX_EVENT_TEXT = 512 << 10;

  private static final int FETCH_ROWS = 100;
  private static final int DELETED_AT_ONCE = 20_000;
  private static final String ENDED = "and o.xact < pg_snapshot_xmin(pg_current_snapshot())";
  private static final String READ =
      """
      select o.id, o.xact::text as transaction, left(o.sensor_id, ?) as sensor_id, o.timestamp_ms,
             o.value, o.quality, left(o.key, ?) as key,
             case when octet_length(e.text) <= ? then e.text end as event,
             coalesce(octet_length(e.text) > ?, false) as event_too_large
        from weir_outbox o
       cross join lateral (select o.event::text as text) e
       where o.priority = ? and (o.xact, o.id) > (?::xid8, ?)
         %s
       order by o.xact, o.id
       limit ?""";
  private static final String WAITS =
      """
      select coalesce(bool_or(exists (
               select from weir_outbox o
                where o.priority = p.priority
                  and o.xact >= pg_snapshot_xmin(pg_current_snapshot()))), false)
        from (values (0::smallint), (1::smallint), (2::smallint)) p(priority)""";

  /** As an array: a join would be planned as one with the whole outbox. */
  private static final String DELETE =
      """
      delete from weir_outbox where id = any (array(
        select o.id from weir_outbox o
         where o.priority = ? and (o.xact, o.id) > (?::xid8, ?) and (o.xact, o.id) <= (?::xid8, ?)
         order by o.xact, o.id limit ? for update skip locked))""";

  private static final String REJECT =
      """
      insert into weir_outbox_rejects (id, xact, priority, sensor_id, timestamp_ms, value, quality,
                                       key, event, reason, message)
      select o.id, o.xact, o.priority, o.sensor_id, o.timestamp_ms, o.value, o.quality,
             o.key, o.event, ?, ?
        from weir_outbox o where o.id = ?""";

  private final int maxIdBytes;

  /**
   * @param maxIdBytes longest sensor id and key, in bytes of UTF-8
   */
  Outbox(int maxIdBytes) {
    this.maxIdBytes = maxIdBytes;
  }

  /** Rows that were read, and whether there was no room for more. */
  record Found(List<OutboxRow> rows, int bytes, boolean full) {}

  /**
   * Reads rows of a priority behind a cursor, until there are so many, or so many bytes.
   *
   * @param maxBytes the row that exceeds it is the last
   */
  Found read(Connection connection, int priority, Cursor after, int maxRows, int maxBytes)
      throws SQLException {
    return read(connection, READ.formatted(ENDED), priority, after, maxRows, maxBytes);
  }

  /** The same, whatever runs beside it: for one who has locked the table. */
  Found readAll(Connection connection, int priority, Cursor after, int maxRows, int maxBytes)
      throws SQLException {
    return read(connection, READ.formatted(""), priority, after, maxRows, maxBytes);
  }

  private Found read(
      Connection connection, String query, int priority, Cursor after, int maxRows, int maxBytes)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setFetchSize(FETCH_ROWS);
      statement.setInt(1, maxIdBytes + 1);
      statement.setInt(2, maxIdBytes + 1);
      statement.setInt(3, MAX_EVENT_TEXT);
      statement.setInt(4, MAX_EVENT_TEXT);
      statement.setShort(5, (short) priority);
      statement.setString(6, Long.toUnsignedString(after.xact()));
      statement.setLong(7, after.id());
      statement.setInt(8, maxRows);
      List<OutboxRow> rows = new ArrayList<>();
      int bytes = 0;
      try (ResultSet result = statement.executeQuery()) {
        while (bytes < maxBytes && result.next()) {
          OutboxRow row = row(result);
          rows.add(row);
          bytes += row.bytes();
        }
      }
      return new Found(rows, bytes, bytes >= maxBytes || rows.size() == maxRows);
    }
  }

  private static OutboxRow row(ResultSet result) throws SQLException {
    return new OutboxRow(
        result.getLong(1),
        Long.parseUnsignedLong(result.getString(2)),
        result.getString(3),
        nullable(result.getLong(4), result),
        nullable(result.getDouble(5), result),
        nullable(result.getInt(6), result),
        result.getString(7),
        result.getString(8),
        result.getBoolean(9));
  }

  private static <T> T nullable(T value, ResultSet result) throws SQLException {
    return result.wasNull() ? null : value;
  }

  /** Whether rows are there that wait for a transaction to end. */
  boolean isHeldBack(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WAITS);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getBoolean(1);
    }
  }

  /**
   * Deletes rows of all priorities up to their cursors, except rows that another transaction has
   * locked.
   *
   * @param from behind which there are some: what was deleted before costs time to pass over until
   *     a vacuum comes
   * @return whether there may be more
   */
  boolean delete(Connection connection, List<Cursor> from, List<Cursor> upTo) throws SQLException {
    boolean more = false;
    try (PreparedStatement statement = connection.prepareStatement(DELETE)) {
      for (int priority = 0; priority < upTo.size(); priority++) {
        statement.setShort(1, (short) priority);
        statement.setString(2, Long.toUnsignedString(from.get(priority).xact()));
        statement.setLong(3, from.get(priority).id());
        statement.setString(4, Long.toUnsignedString(upTo.get(priority).xact()));
        statement.setLong(5, upTo.get(priority).id());
        statement.setInt(6, DELETED_AT_ONCE);
        more |= statement.executeUpdate() == DELETED_AT_ONCE;
      }
    }
    return more;
  }

  void reject(Connection connection, List<Rejected> rejects) throws SQLException {
    if (rejects.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(REJECT)) {
      for (Rejected reject : rejects) {
        statement.setString(1, reject.reason().name());
        statement.setString(2, reject.message().replace('\0', '\uFFFD'));
        statement.setLong(3, reject.row().id());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
