package io.weir.internal.sink;

import io.weir.internal.postgres.SqlFailures;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Short timeouts for locks that block readers, with a later retry. Stateless. */
final class DayLocks {
  /** The first half of an advisory lock; the second one is the table. */
  private static final int LOCK = 0x77656972;

  /** For the lock of other processes, which blocks no reader. */
  private static final String SINKS_TIMEOUT = "2s";

  private static final String LOCK_TIMEOUT = "100ms";

  /** Lock timeout, deadlock. */
  private static final Set<String> LOCKED = Set.of("55P03", "40P01");

  private static final String CANCELLED = "57014";

  private static final String NO_RIGHT = "42501";

  private DayLocks() {}

  /**
   * To be called at the start of a transaction that changes partitions of a table: they are
   * serialized.
   */
  static void begin(Statement statement, String table) throws SQLException {
    statement.execute("set local lock_timeout = '" + SINKS_TIMEOUT + "'");
    statement.execute(
        "select pg_advisory_xact_lock(%d, '%s'::regclass::oid::int)".formatted(LOCK, table));
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
    return isLocked(failure) || CANCELLED.equals(failure.getSQLState());
  }

  /** Whether a lock was not obtained. */
  static boolean isLocked(SQLException failure) {
    return LOCKED.contains(String.valueOf(failure.getSQLState()));
  }
}
