package io.weir.internal.collect;

import io.weir.internal.collect.Outbox.Found;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of the next batch, in the order in which they are sent.
 *
 * @param cursors positions after them and the expired rows among them
 * @param expired expired rows among them, which are not sent
 * @param full whether the batch is full, by rows or by bytes
 * @param more whether more rows are known to wait
 */
record Selection(
    List<OutboxRow> rows,
    List<Cursor> cursors,
    List<OutboxRow> expired,
    boolean full,
    boolean more) {
  /** Largest share of a priority in a batch, because its rows are in memory together. */
  static final int MAX_BYTES = 2 << 20;

  private static final int TENTH = 10;

  /**
   * * Reads the rows.
   *
   * @param limit maximum number of rows
   */
  static Selection read(
      Connection connection, RowReader reader, List<Cursor> from, int limit, Shares shares)
      throws SQLException {
    List<Found> found = new ArrayList<>();
    int[] waiting = new int[from.size()];
    int room = limit;
    boolean bytesFull = false;
    for (int priority = 0; priority < from.size(); priority++) {
      int most = Math.min(limit, room + limit / TENTH + 1);
      Found read = reader.read(connection, priority, from.get(priority), most, MAX_BYTES);
      found.add(read);
      waiting[priority] = read.live();
      room = Math.max(0, room - read.live());
      bytesFull |= read.bytes() >= MAX_BYTES || reader.isIsolating() && read.live() > 0;
    }
    int[] share = shares.share(limit, waiting);
    List<OutboxRow> rows = new ArrayList<>();
    List<OutboxRow> expired = new ArrayList<>();
    List<Cursor> cursors = new ArrayList<>(from);
    boolean more = false;
    for (int priority = 0; priority < share.length; priority++) {
      int left = share[priority];
      for (OutboxRow row : found.get(priority).rows()) {
        if (!row.expired() && left-- == 0) {
          break;
        }
        (row.expired() ? expired : rows).add(row);
        cursors.set(priority, row.cursor());
      }
      more |=
          share[priority] < waiting[priority]
              || found.get(priority).full()
              || reader.isIsolating() && waiting[priority] > 0;
    }
    return new Selection(rows, cursors, expired, bytesFull || rows.size() >= limit, more);
  }
}
