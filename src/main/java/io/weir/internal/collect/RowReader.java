package io.weir.internal.collect;

import io.weir.internal.collect.Outbox.Examined;
import io.weir.internal.collect.Outbox.Found;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads rows of the outbox, and isolates rows that the server cannot return, such as an event that
 * nests too deep. After a failed read the server examines many rows at once; those that fail are
 * then read without their event. If that does not help, it reads one row at a time, and one that
 * fails repeatedly is such a row. One thread; any thread may read the number of rows.
 */
final class RowReader {
  private static final int ATTEMPTS = 2;
  private static final int LOST_CONNECTIONS = 3;
  private static final int GROWTH = 4;

  /** Of one examination: somebody may insert a hundred thousand such rows. */
  private static final int MOST_EXAMINED = 1_000;

  private final Outbox outbox;
  private final int[] mostRows = new int[State.PRIORITIES];

  /** By priority, those that were found last: at most as many as one examination finds. */
  private final List<List<Long>> unreadable =
      new ArrayList<>(Collections.nCopies(State.PRIORITIES, List.of()));

  private Read reading;
  private Read suspect;
  private int failures;
  private int lost;

  /** Since the last read that succeeded: what a second one finds did not help. */
  private boolean examined;

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
      OptionalLong first = outbox.first(connection, priority, after);
      if (first.isPresent()) {
        unreadable.set(priority, List.of(first.getAsLong()));
      }
    }
    reading = now;
    Found found =
        outbox.read(connection, priority, after, rows, maxBytes, unreadable.get(priority));
    reading = null;
    examined = false;
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
    if (!examined && examine(connection, failed)) {
      return true;
    }
    failures++;
    return failures <= ATTEMPTS;
  }

  /** Whether it found rows that fail. */
  private boolean examine(Connection connection, Read failed) throws SQLException {
    examined = true;
    try {
      Examined found = outbox.examine(connection, failed.priority(), failed.after(), MOST_EXAMINED);
      connection.commit();
      unreadable.set(failed.priority(), found.unreadable());
      if (found.unreadable().isEmpty()) {
        return false;
      }
      mostRows[failed.priority()] = found.rows();
      suspect = null;
      return true;
    } catch (SQLException e) {
      connection.rollback(); // If the connection is lost, this fails too.
      return false;
    }
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

  /** Rows read so far, including repeated reads. */
  long rowsRead() {
    return rowsRead;
  }
}
