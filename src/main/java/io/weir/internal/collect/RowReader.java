package io.weir.internal.collect;

import io.weir.internal.collect.Outbox.Found;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads rows of the outbox, and isolates a row that the server cannot return, such as an event with
 * a text larger than its memory. After a failed read it reads one row at a time; a row that fails
 * repeatedly is then read without its event. One thread; any thread may read the number of rows.
 */
final class RowReader {
  private static final int ATTEMPTS = 2;
  private static final int LOST_CONNECTIONS = 3;
  private static final int GROWTH = 4;

  private final Outbox outbox;
  private final int[] mostRows = new int[State.PRIORITIES];
  private final Set<Long> unreadable = new LinkedHashSet<>();
  private Read reading;
  private Read suspect;
  private int failures;
  private int lost;
  private volatile long rowsRead;

  private record Read(int priority, Cursor after, int rows) {}

  RowReader(Outbox outbox) {
    this.outbox = outbox;
    Arrays.fill(mostRows, Integer.MAX_VALUE);
  }

  /**
   * Reads rows of a priority after a cursor, possibly fewer than exist.
   *
   * @param maxBytes the row that exceeds this limit is the last
   */
  Found read(Connection connection, int priority, Cursor after, int maxRows, int maxBytes)
      throws SQLException {
    int rows = Math.min(maxRows, mostRows[priority]);
    Read now = new Read(priority, after, rows);
    if (now.equals(suspect) && (failures >= ATTEMPTS || lost >= LOST_CONNECTIONS)) {
      suspect = null;
      outbox.first(connection, priority, after).ifPresent(unreadable::add);
    }
    reading = now;
    Found found = outbox.read(connection, priority, after, rows, maxBytes, List.copyOf(unreadable));
    reading = null;
    rowsRead = rowsRead + found.rows().size();
    mostRows[priority] =
        mostRows[priority] > Integer.MAX_VALUE / GROWTH
            ? Integer.MAX_VALUE
            : mostRows[priority] * GROWTH;
    return found;
  }

  /** Whether fewer rows are read than requested, after a failure. */
  boolean isIsolating() {
    return Arrays.stream(mostRows).anyMatch(rows -> rows < AdaptiveLimit.MOST_ROWS);
  }

  /**
   * Records a failure; rolls the transaction back if a read failed.
   *
   * @return whether the next read may succeed over the same connection
   */
  boolean learns(Connection connection, SQLException failure) throws SQLException {
    Read failed = reading;
    reading = null;
    if (failed == null) {
      return false;
    }
    mostRows[failed.priority()] = 1;
    if (!failed.equals(suspect)) {
      suspect = failed.rows() == 1 ? failed : null;
      failures = 0;
      lost = 0;
    }
    if (!isOfARow(failure)) {
      lost++;
      return false;
    }
    connection.rollback();
    // Fails too if the table is locked, which is not caused by an event.
    outbox.first(connection, failed.priority(), failed.after());
    connection.commit();
    failures++;
    return failures <= ATTEMPTS;
  }

  /** Failures of data, limits, memory, timeouts or a damaged row. */
  private static boolean isOfARow(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return state.startsWith("22")
        || state.startsWith("54")
        || state.startsWith("XX")
        || state.equals("53200")
        || state.equals("57014");
  }

  /** The cursors have passed these rows. */
  void passed(List<OutboxRow> rows) {
    if (!unreadable.isEmpty()) {
      rows.forEach(row -> unreadable.remove(row.id()));
    }
  }

  /** Rows read so far, including repeated reads. */
  long rowsRead() {
    return rowsRead;
  }
}
