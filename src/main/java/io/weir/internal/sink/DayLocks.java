package io.weir.internal.sink;

import io.weir.internal.postgres.SqlFailures;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Short timeouts for locks that block readers, with a later retry. Stateless. */
final class DayLocks {
  private static final long LOCK = 0x77656972_0003L;
  private static final String LOCK_TIMEOUT = "100ms";

  /** Lock timeout, cancelled statement, deadlock. */
  private static final Set<String> LATER = Set.of("55P03", "57014", "40P01");

  private static final String NO_RIGHT = "42501";

  private DayLocks() {}

  /** To be called at the start of a transaction that changes partitions: they are serialized. */
  static void begin(Statement statement) throws SQLException {
    statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
    statement.execute("set local lock_timeout = '" + LOCK_TIMEOUT + "'");
  }

  /**
   * Whether the table of a day is the cause, such as a lock, or one that was detached and lacks a
   * column since. Other days go on.
   */
  static boolean isOfTheTable(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return isLater(failure)
        || state.startsWith("0A")
        || state.startsWith("55")
        || SqlFailures.of(failure) == SqlFailures.DATA
        || state.startsWith("42") && !state.equals(NO_RIGHT);
  }

  /** Whether a retry may succeed. */
  static boolean isLater(SQLException failure) {
    return LATER.contains(String.valueOf(failure.getSQLState()));
  }
}
