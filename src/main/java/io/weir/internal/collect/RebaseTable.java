package io.weir.internal.collect;

import io.weir.internal.collect.RowJudge.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Renumbers the rows of an outbox: sent rows get transaction 0, and rows of transactions that this
 * server has not reached get the current one. One transaction, one thread.
 *
 * <p>A restored dump has the transactions of another server: its rows get transaction 1, before
 * rows that were inserted here later, whose numbers may be after the cursors. PostgreSQL's system
 * column xmin, the transaction that wrote a row, distinguishes them.
 */
final class RebaseTable {
  private static final int ROWS_AT_ONCE = 10_000;
  private static final String SENT_BEFORE =
      """
      update weir_outbox o set xact = '0'
       where o.priority = ? and o.xact <> '0' and (o.xact, o.id) <= (?::xid8, ?)""";
  private static final String INSERTED_HERE =
      "o.xmin::text::numeric = o.xact::text::numeric % 4294967296";
  private static final String BROUGHT =
      "update weir_outbox o set xact = '1' where o.xact <> '0' and not " + INSERTED_HERE;
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

  /** Waits for running inserts, and blocks inserts until the transaction ends. */
  void lock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("lock table weir_outbox in share row exclusive mode");
    }
  }

  /**
   * * Renumbers the rows.
   *
   * @param cursors positions up to which rows were sent
   * @param since contents that were sent since; those that are found are removed
   * @return number of rows that were found
   */
  long renumber(Connection connection, List<Cursor> cursors, Contents since) throws SQLException {
    List<Long> sent = new ArrayList<>();
    for (int priority = 0; priority < cursors.size(); priority++) {
      sentBefore(connection, priority, cursors.get(priority));
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

  private void sentBefore(Connection connection, int priority, Cursor cursor) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            dump ? SENT_BEFORE + " and not " + INSERTED_HERE : SENT_BEFORE)) {
      statement.setShort(1, (short) priority);
      statement.setString(2, Long.toUnsignedString(cursor.xact()));
      statement.setLong(3, cursor.id());
      statement.executeUpdate();
    }
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
