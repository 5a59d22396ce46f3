package io.weir.collect;

import io.weir.collect.RowJudge.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers the rows of an outbox anew: those that were sent get transaction 0, and those of
 * transactions that this server has not reached get the one that runs. One transaction, one thread.
 */
final class RebaseTable {
  private static final int ROWS_AT_ONCE = 10_000;
  private static final String SENT_BEFORE =
      """
      update weir_outbox o set xact = '0'
       where o.priority = ? and o.xact <> '0' and (o.xact, o.id) <= (?::xid8, ?)""";
  private static final String SENT_SINCE = "update weir_outbox set xact = '0' where id = any(?)";
  private static final String AHEAD =
      "update weir_outbox set xact = pg_current_xact_id() where xact > pg_current_xact_id()";

  private final Outbox outbox;
  private final RowJudge judge;

  RebaseTable(Outbox outbox, RowJudge judge) {
    this.outbox = outbox;
    this.judge = judge;
  }

  /** Waits for all who insert, and lets nobody insert until the transaction ends. */
  void lock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("lock table weir_outbox in share row exclusive mode");
    }
  }

  /**
   * Numbers them.
   *
   * @param cursors up to where they were sent
   * @param since contents that were sent since; what is found is taken out
   * @return rows of these
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
      statement.executeUpdate(AHEAD);
    }
    return sent.size();
  }

  private static void sentBefore(Connection connection, int priority, Cursor cursor)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SENT_BEFORE)) {
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
