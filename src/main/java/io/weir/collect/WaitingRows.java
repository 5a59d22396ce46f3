package io.weir.collect;

import io.weir.collect.Outbox.Counted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that wait until a batch is due: what comes is counted, and nothing is read twice meanwhile.
 *
 * @param last behind the rows that were counted, of each priority
 */
record WaitingRows(int rows, long bytes, List<Cursor> last) {
  /** Those that were read and are not sent yet; none may have been left out. */
  static WaitingRows of(Selection selection) {
    long bytes = selection.rows().stream().mapToLong(OutboxRow::bytes).sum();
    return new WaitingRows(selection.rows().size(), bytes, selection.cursors());
  }

  /** With the rows that came since, as far as a batch has room for them. */
  WaitingRows count(Connection connection, Outbox outbox, int limit) throws SQLException {
    int rowsNow = rows;
    long bytesNow = bytes;
    List<Cursor> lastNow = new ArrayList<>(last);
    for (int priority = 0; priority < last.size() && rowsNow < limit; priority++) {
      Counted counted = outbox.count(connection, priority, last.get(priority), limit - rowsNow);
      rowsNow += counted.rows();
      bytesNow += counted.bytes();
      lastNow.set(priority, counted.last());
    }
    return new WaitingRows(rowsNow, bytesNow, lastNow);
  }

  boolean isFull(int limit) {
    return rows >= limit || bytes >= Selection.MAX_BYTES;
  }
}
