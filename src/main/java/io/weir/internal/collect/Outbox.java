package io.weir.internal.collect;

import io.weir.internal.postgres.SqlFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The table weir_outbox. Stateless; a connection is for one thread, and the caller ends its
 * transactions.
 *
 * <p>Rows are read in the order of the columns (xact, id), not of their texts, and only those of
 * transactions before the oldest running one.
 */
final class Outbox {
  /** Largest text of an event that is parsed; an accepted event has at most half of it in bytes. */
  static final int MAX_EVENT_TEXT = 512 << 10;

  private static final int FETCH_ROWS = 100;
  private static final String ENDED = "and o.xact < pg_snapshot_xmin(pg_current_snapshot())";

  /** Compared with the database's clock, which is constant within a statement. */
  private static final String EXPIRED = "coalesce(o.expires_at <= statement_timestamp(), false)";

  /** Maximum of expired rows in one read. */
  static final int MOST_EXPIRED = 10_000;

  /**
   * Whether the text of an event has a bounded size.
   *
   * <p>A few stored bytes can be a number of 131,072 digits before or 16,383 behind the point, and
   * compressed ones thousands of these: 33 kB would become 1 GB of text. So the size without
   * compression is bounded first, then the digits, without a conversion of a number.
   */
  private static final String SMALL =
      """
      pg_column_size(o.event) <= 512 * 1024
      and pg_column_size(o.event || '{}') <= 512 * 1024
      and (select coalesce(bool_and(abs(n) < 1e1000 and scale(n) <= 2000), true)
                  and coalesce(sum(scale(n) + case when abs(n) >= 1e100 then 101
                                                   when abs(n) >= 1e18 then 19
                                                   else 0 end), 0) <= 512 * 1024
             from (select v::numeric as n
                     from jsonb_path_query(
                            o.event, 'strict $.** ? (@.type() == "number")') v
                   limit 1101) numbers
           having count(*) <= 1100)""";

  /** The offset keeps the planner from converting an event once for each use of its text. */
  private static final String READ =
      """
      select o.id, o.xact::text as transaction, left(o.sensor_id, ?) as sensor_id, o.timestamp_ms,
             o.value, o.quality, left(o.key, ?) as key,
             case when octet_length(e.text) <= ? then e.text end as event,
             o.event is not null and coalesce(octet_length(e.text) > ?, true) as event_too_large,
             case when isfinite(o.expires_at)
                  then floor(extract(epoch from o.expires_at) * 1000)::bigint end as expires_ms,
             x.expired
        from weir_outbox o
       cross join lateral (select %s as expired) x
       cross join lateral (
         select case when not x.expired and o.id <> all (?) and %s
                then o.event::text end as text offset 0) e
       where o.priority = ? and (o.xact, o.id) > (?::xid8, ?)
         %s
       order by o.xact, o.id
       limit ?""";

  /**
   * Converts the events of the next rows, each for itself, and leaves the ids of those that fail in
   * a setting, as a block has no result. Memory and timeouts are not caused by one row.
   */
  private static final String EXAMINE =
      """
      do $weir$
      declare
        ends timestamptz := clock_timestamp() + interval '1 s';
        examined int := 0;
        failed text := '';
        row_id int8;
      begin
        for row_id in
          select o.id from weir_outbox o
           where o.priority = %s and (o.xact, o.id) > ('%s'::xid8, %s)
             %s
           order by o.xact, o.id
           limit %s
        loop
          examined := examined + 1;
          begin
            perform octet_length(case when %s and %s then o.event::text end)
               from weir_outbox o where o.id = row_id;
          exception when data_exception or program_limit_exceeded or internal_error then
            failed := failed || ' ' || row_id;
          end;
          exit when clock_timestamp() > ends;
        end loop;
        perform set_config('weir.examined', examined || failed, true);
      end $weir$""";

  private static final String WAITS =
      """
      select coalesce(bool_or(exists (
               select from weir_outbox o
                where o.priority = p.priority
                  and o.xact >= pg_snapshot_xmin(pg_current_snapshot()))), false)
        from (values (0::smallint), (1::smallint), (2::smallint)) p(priority)""";

  private static final String FIRST =
      """
      select o.id from weir_outbox o
       where o.priority = ? and (o.xact, o.id) > (?::xid8, ?)
         %s
       order by o.xact, o.id
       limit 1"""
          .formatted(ENDED);

  private static final String COUNT =
      """
      select o.xact::text, o.id, coalesce(pg_column_size(o.event), 0) from weir_outbox o
       where o.priority = ? and (o.xact, o.id) > (?::xid8, ?)
         %s
       order by o.xact, o.id
       limit ?"""
          .formatted(ENDED);

  private static final String EXPIRED_ROWS =
      """
      select o.xact::text, o.id, %s from weir_outbox o
       where o.priority = ? and (o.xact, o.id) > (?::xid8, ?)
         %s
       order by o.xact, o.id
       limit ?"""
          .formatted(EXPIRED, ENDED);

  /** Uses arrays, because the planner would join with the whole outbox. */
  private static final String DELETE =
      """
      with due as materialized (
        select o.id, o.xact from weir_outbox o
         where o.priority = ? and (o.xact, o.id) > (?::xid8, ?) and (o.xact, o.id) <= (?::xid8, ?)
         order by o.xact, o.id limit ?),
      gone as (
        delete from weir_outbox where id = any (array(
          select o.id from weir_outbox o where o.id = any (array(select id from due))
             for update skip locked))
        returning 1)
      select (select count(*) from due), (select count(*) from gone), d.xact::text, d.id
        from due d order by d.xact desc, d.id desc limit 1""";

  private static final String REJECT =
      """
      insert into weir_outbox_rejects (id, xact, priority, sensor_id, timestamp_ms, value, quality,
                                       key, event, reason, message, expires_at)
      select o.id, o.xact, o.priority, o.sensor_id, o.timestamp_ms, o.value, o.quality,
             o.key, o.event, ?, ?, o.expires_at
        from weir_outbox o where o.id = ?""";

  private final int maxIdBytes;

  /**
   * @param maxIdBytes longest sensor id and key, in bytes of UTF-8
   */
  Outbox(int maxIdBytes) {
    this.maxIdBytes = maxIdBytes;
  }

  /**
   * The result of a read.
   *
   * @param rows in order, including expired ones
   * @param live number of rows that have not expired
   */
  record Found(List<OutboxRow> rows, int live, int bytes, boolean full) {}

  /**
   * Reads rows of a priority after a cursor, up to a number of live rows or their bytes.
   *
   * @param maxBytes the row that exceeds this limit is the last
   */
  Found read(Connection connection, int priority, Cursor after, int maxRows, int maxBytes)
      throws SQLException {
    return read(connection, priority, after, maxRows, maxBytes, List.of());
  }

  /**
   * The same.
   *
   * @param unreadable ids of rows whose event the server cannot convert; they count as too large
   */
  Found read(
      Connection connection,
      int priority,
      Cursor after,
      int maxRows,
      int maxBytes,
      Collection<Long> unreadable)
      throws SQLException {
    return read(
        connection,
        READ.formatted(EXPIRED, SMALL, ENDED),
        priority,
        after,
        maxRows,
        maxBytes,
        unreadable);
  }

  /**
   * The same, including rows of running transactions and expired rows, for a caller that has locked
   * the table.
   */
  Found readAll(Connection connection, int priority, Cursor after, int maxRows, int maxBytes)
      throws SQLException {
    return read(
        connection,
        READ.formatted("false", SMALL, ""),
        priority,
        after,
        maxRows,
        maxBytes,
        List.of());
  }

  private Found read(
      Connection connection,
      String query,
      int priority,
      Cursor after,
      int maxRows,
      int maxBytes,
      Collection<Long> unreadable)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setFetchSize(Math.min(FETCH_ROWS, maxRows));
      statement.setInt(1, maxIdBytes + 1);
      statement.setInt(2, maxIdBytes + 1);
      statement.setInt(3, MAX_EVENT_TEXT);
      statement.setInt(4, MAX_EVENT_TEXT);
      statement.setArray(5, connection.createArrayOf("int8", unreadable.toArray()));
      setPlace(statement, 6, priority, after);
      int mostRows = maxRows + MOST_EXPIRED;
      statement.setInt(9, mostRows);
      List<OutboxRow> rows = new ArrayList<>();
      int live = 0;
      int bytes = 0;
      try (ResultSet result = statement.executeQuery()) {
        while (live < maxRows && bytes < maxBytes && result.next()) {
          OutboxRow row = row(result);
          rows.add(row);
          live += row.expired() ? 0 : 1;
          bytes += row.expired() ? 0 : row.bytes();
        }
      }
      boolean full = bytes >= maxBytes || live == maxRows || rows.size() == mostRows;
      return new Found(rows, live, bytes, full);
    }
  }

  private static void setPlace(PreparedStatement statement, int first, int priority, Cursor after)
      throws SQLException {
    statement.setShort(first, (short) priority);
    statement.setString(first + 1, Long.toUnsignedString(after.xact()));
    statement.setLong(first + 2, after.id());
  }

  /**
   * The result of an examination.
   *
   * @param rows number of rows, possibly fewer than exist
   * @param unreadable ids of those whose event the server cannot convert
   */
  record Examined(int rows, List<Long> unreadable) {}

  /** Examines the first rows of a priority after a cursor, in one round trip. */
  Examined examine(Connection connection, int priority, Cursor after, int maxRows)
      throws SQLException {
    String place = Long.toUnsignedString(after.xact());
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          EXAMINE.formatted(priority, place, after.id(), ENDED, maxRows, "not " + EXPIRED, SMALL));
      try (ResultSet result = statement.executeQuery("select current_setting('weir.examined')")) {
        result.next();
        String[] numbers = result.getString(1).split(" ");
        List<Long> failed = Stream.of(numbers).skip(1).map(Long::valueOf).toList();
        return new Examined(Integer.parseInt(numbers[0]), failed);
      }
    }
  }

  /** The id of the first row after a cursor; does not read its event. */
  OptionalLong first(Connection connection, int priority, Cursor after) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIRST)) {
      setPlace(statement, 1, priority, after);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? OptionalLong.of(result.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /**
   * The result of a count.
   *
   * @param bytes stored bytes of their events
   * @param last cursor of the last one; the given cursor if there are none
   */
  record Counted(int rows, long bytes, Cursor last) {}

  /** Counts rows of a priority after a cursor, without converting their events. */
  Counted count(Connection connection, int priority, Cursor after, int maxRows)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
      setPlace(statement, 1, priority, after);
      statement.setInt(4, maxRows);
      int rows = 0;
      long bytes = 0;
      Cursor last = after;
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows++;
          bytes += result.getLong(3);
          last = new Cursor(Long.parseUnsignedLong(result.getString(1)), result.getLong(2));
        }
      }
      return new Counted(rows, bytes, last);
    }
  }

  /**
   * Counts expired rows of a priority between a cursor and the first live row, up to {@link
   * #MOST_EXPIRED}.
   */
  Counted expired(Connection connection, int priority, Cursor after) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(EXPIRED_ROWS)) {
      statement.setFetchSize(FETCH_ROWS);
      setPlace(statement, 1, priority, after);
      statement.setInt(4, MOST_EXPIRED);
      int rows = 0;
      Cursor last = after;
      try (ResultSet result = statement.executeQuery()) {
        while (result.next() && result.getBoolean(3)) {
          rows++;
          last = new Cursor(Long.parseUnsignedLong(result.getString(1)), result.getLong(2));
        }
      }
      return new Counted(rows, 0, last);
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
        result.getBoolean(9),
        nullable(result.getLong(10), result),
        result.getBoolean(11));
  }

  private static <T> T nullable(T value, ResultSet result) throws SQLException {
    return result.wasNull() ? null : value;
  }

  /** Whether there are rows that wait for the end of a transaction. */
  boolean isHeldBack(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WAITS);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getBoolean(1);
    }
  }

  /**
   * The result of a deletion.
   *
   * @param due number of rows that were found
   * @param gone number of deleted rows; the others are locked
   * @param last cursor of the last row that was found
   */
  record Deleted(int due, int gone, Cursor last) {}

  /**
   * Deletes rows of a priority between two cursors, except locked rows.
   *
   * @param from a late position saves time, because a scan over deleted rows is slow until the next
   *     vacuum
   */
  Deleted delete(Connection connection, int priority, Cursor from, Cursor upTo, int maxRows)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DELETE)) {
      setPlace(statement, 1, priority, from);
      statement.setString(4, Long.toUnsignedString(upTo.xact()));
      statement.setLong(5, upTo.id());
      statement.setInt(6, maxRows);
      try (ResultSet result = statement.executeQuery()) {
        return result.next()
            ? new Deleted(
                result.getInt(1),
                result.getInt(2),
                new Cursor(Long.parseUnsignedLong(result.getString(3)), result.getLong(4)))
            : new Deleted(0, 0, upTo);
      }
    }
  }

  void reject(Connection connection, List<Rejected> rejects) throws SQLException {
    if (rejects.isEmpty()) {
      return;
    }
    Savepoint before = connection.setSavepoint();
    try (PreparedStatement statement = connection.prepareStatement(REJECT)) {
      for (Rejected reject : rejects) {
        set(statement, reject, reject.message());
        statement.addBatch();
      }
      statement.executeBatch();
    } catch (SQLException e) {
      connection.rollback(before);
      rejectOneByOne(connection, rejects);
    }
    connection.releaseSavepoint(before);
  }

  private static void rejectOneByOne(Connection connection, List<Rejected> rejects)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REJECT)) {
      for (Rejected reject : rejects) {
        set(statement, reject, reject.message());
        if (reject.row().eventTooLarge()) {
          rejectUnsure(connection, statement, reject);
        } else {
          statement.executeUpdate();
        }
      }
    }
  }

  /** Omits the event if it is damaged and cannot be copied. */
  private static void rejectUnsure(
      Connection connection, PreparedStatement statement, Rejected reject) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      statement.executeUpdate();
    } catch (SQLException e) {
      connection.rollback(before);
      try (PreparedStatement without =
          connection.prepareStatement(REJECT.replace("o.event", "null::jsonb"))) {
        set(without, reject, reject.message() + "; it cannot be copied: " + SqlFailures.line(e));
        without.executeUpdate();
      }
    }
    connection.releaseSavepoint(before);
  }

  private static void set(PreparedStatement statement, Rejected reject, String message)
      throws SQLException {
    statement.setString(1, reject.reason().name());
    statement.setString(2, message.replace('\0', '\uFFFD'));
    statement.setLong(3, reject.row().id());
  }
}
