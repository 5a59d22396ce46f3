package io.weir.internal.collect;

import io.weir.internal.collect.RowJudge.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renumbers the rows of an outbox: sent rows get transaction 0, and rows of transactions that this
 * server has not reached get the current one. One thread.
 *
 * <p>A restored dump has the transactions of another server: its rows get transaction 1, before
 * rows that were inserted here later, whose numbers may be before the cursors without having been
 * sent. A row that may have been inserted here is never marked by its number.
 */
final class RebaseTable {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final int ROWS_AT_ONCE = 10_000;
  private static final int LOCK_MS = 500;
  private static final String LOCKED = "55P03";

  /** Behind all marked rows. */
  static final Cursor MARKED = new Cursor(0, Long.MAX_VALUE);

  /**
   * A transaction inserts after the one that created the table, and before the one that wrote the
   * row last: that is itself, its savepoint, or the transaction of an update. The row of a system
   * column in pg_attribute is never updated. xmin has 32 bits, and is close to the current
   * transaction.
   */
  private static final String MAY_BE_INSERTED_HERE =
      """
      (o.xact::text::numeric between %s and %s)"""
          .formatted(
              whole(
                  "(select xmin from pg_attribute"
                      + " where attrelid = 'weir_outbox'::regclass and attname = 'ctid')"),
              whole("o.xmin"));

  private static final String SENT_BEFORE =
      """
      with due as materialized (
        select o.id, o.xact from weir_outbox o
         where o.priority = ? and (o.xact, o.id) > (?::xid8, ?) and (o.xact, o.id) <= (?::xid8, ?)
         order by o.xact, o.id limit %d),
      marked as (
        update weir_outbox o set xact = '0' where o.id = any (array(select id from due)) and %s)
      select xact::text, id from due order by xact desc, id desc limit 1""";
  private static final String BROUGHT =
      "update weir_outbox o set xact = '1' where o.xact <> '0' and not " + MAY_BE_INSERTED_HERE;
  private static final String IS_BEHIND_CURSOR =
      "select exists (select from unnest(?::xid8[]) c where c > pg_current_xact_id())";
  private static final String SENT_SINCE = "update weir_outbox set xact = '0' where id = any(?)";
  private static final String AHEAD =
      "update weir_outbox set xact = pg_current_xact_id() where xact > pg_current_xact_id()";

  private final Outbox outbox;
  private final RowJudge judge;
  private final boolean dump;

  /**
   * @param dump whether the tables are from a restored dump
   */
  RebaseTable(Outbox outbox, RowJudge judge, boolean dump) {
    this.outbox = outbox;
    this.judge = judge;
    this.dump = dump;
  }

  /** The number of 64 bits of a transaction that is close to the current one. */
  private static String whole(String xid) {
    String now = "pg_current_xact_id()::text::bigint";
    return "%2$s + ((%1$s::text::bigint - %2$s + 2147483648) & 4294967295) - 2147483648"
        .formatted(xid, now);
  }

  /**
   * Whether the tables are from a restored dump and not from copied files: their oids differ, or it
   * is another server that has not reached the transactions of the cursors.
   */
  static boolean isDump(
      Connection connection, ServerIdentity before, ServerIdentity here, List<Cursor> cursors)
      throws SQLException {
    return !before.tables().equals(here.tables())
        || before.systemId() != here.systemId() && isBehind(connection, cursors);
  }

  private static boolean isBehind(Connection connection, List<Cursor> cursors) throws SQLException {
    Object[] xacts = cursors.stream().map(cursor -> Long.toUnsignedString(cursor.xact())).toArray();
    try (PreparedStatement statement = connection.prepareStatement(IS_BEHIND_CURSOR)) {
      statement.setArray(1, connection.createArrayOf("text", xacts));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getBoolean(1);
      }
    }
  }

  /**
   * Marks rows that were sent before, some at a time, and commits; a repetition does no harm.
   *
   * @param cursors positions up to which rows were sent
   */
  void markSent(Connection connection, List<Cursor> cursors, SentScan.Progress progress)
      throws SQLException, FencedException {
    for (int priority = 0; priority < cursors.size(); priority++) {
      Cursor upTo = cursors.get(priority);
      Cursor from = MARKED;
      while (from.compareTo(upTo) < 0) {
        from = markSent(connection, priority, from, upTo);
        connection.commit();
        progress.step();
      }
    }
  }

  private Cursor markSent(Connection connection, int priority, Cursor from, Cursor upTo)
      throws SQLException {
    String which = dump ? "not " + MAY_BE_INSERTED_HERE : "true";
    try (PreparedStatement statement =
        connection.prepareStatement(SENT_BEFORE.formatted(ROWS_AT_ONCE, which))) {
      statement.setShort(1, (short) priority);
      statement.setString(2, Long.toUnsignedString(from.xact()));
      statement.setLong(3, from.id());
      statement.setString(4, Long.toUnsignedString(upTo.xact()));
      statement.setLong(5, upTo.id());
      try (ResultSet result = statement.executeQuery()) {
        return result.next()
            ? new Cursor(Long.parseUnsignedLong(result.getString(1)), result.getLong(2))
            : upTo;
      }
    }
  }

  /**
   * Blocks inserts until the transaction ends. While it waits for running ones, others would wait
   * behind it: so it does not wait for long, and tries again.
   */
  void lock(Connection connection, SentScan.Progress progress)
      throws SQLException, FencedException {
    for (boolean first = true; !tryLock(connection); first = false) {
      if (first) {
        LOG.info("waiting for open transactions that have written to weir_outbox");
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute("select pg_sleep(1)");
      }
      connection.commit();
      progress.step();
    }
  }

  private static boolean tryLock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local lock_timeout = " + LOCK_MS);
      statement.execute("lock table weir_outbox in share row exclusive mode");
      statement.execute("set local lock_timeout = default");
      return true;
    } catch (SQLException e) {
      connection.rollback();
      if (!LOCKED.equals(e.getSQLState())) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Renumbers the other rows; the table is locked.
   *
   * @param cursors positions up to which rows were sent
   * @param since contents that were sent since; those that are found are removed
   * @return number of rows that were found
   */
  long renumber(Connection connection, List<Cursor> cursors, Contents since) throws SQLException {
    List<Long> sent = new ArrayList<>();
    for (int priority = 0; priority < cursors.size(); priority++) {
      find(connection, priority, cursors.get(priority), since, sent);
    }
    try (PreparedStatement statement = connection.prepareStatement(SENT_SINCE)) {
      statement.setArray(1, connection.createArrayOf("int8", sent.toArray()));
      statement.executeUpdate();
    }
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(dump ? BROUGHT : AHEAD);
    }
    return sent.size();
  }

  private void find(
      Connection connection, int priority, Cursor from, Contents since, List<Long> sent)
      throws SQLException {
    Cursor after = from;
    while (true) {
      List<OutboxRow> rows =
          outbox.readAll(connection, priority, after, ROWS_AT_ONCE, Selection.MAX_BYTES).rows();
      if (rows.isEmpty()) {
        return;
      }
      for (OutboxRow row : rows) {
        Verdict verdict = judge.judge(row);
        if (Rebase.isSendable(verdict) && since.remove(verdict)) {
          sent.add(row.id());
        }
      }
      after = rows.get(rows.size() - 1).cursor();
    }
  }
}
