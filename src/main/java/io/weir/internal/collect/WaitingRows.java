package io.weir.internal.collect;

import io.weir.internal.collect.Outbox.Counted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that wait until a batch is due: new ones are only counted, so that no row is read twice.
 *
 * @param last position after the counted rows, of each priority
 */
record WaitingRows(int rows, long bytes, List<Cursor> last) {
  /** The rows of a selection that is not sent yet; it must be complete. */
  static WaitingRows of(Selection selection) {
    long bytes = selection.rows().stream().mapToLong(OutboxRow::bytes).sum();
    return new WaitingRows(selection.rows().size(), bytes, selection.cursors());
  }

  /** Adds rows that were inserted since, up to the limits of a batch. */
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
