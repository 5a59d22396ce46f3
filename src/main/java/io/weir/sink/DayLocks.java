package io.weir.sink;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Locks that readers wait behind are waited for briefly, and tried again later. Stateless. */
final class DayLocks {
  private static final long LOCK = 0x77656972_0003L;
  private static final String LOCK_TIMEOUT = "100ms";

  /** Not to be had soon, ended by statement_timeout or somebody, a deadlock. */
  private static final Set<String> LATER = Set.of("55P03", "57014", "40P01");

  private DayLocks() {}

  /** At the beginning of a transaction that changes partitions: one at a time does. */
  static void begin(Statement statement) throws SQLException {
    statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
    statement.execute("set local lock_timeout = '" + LOCK_TIMEOUT + "'");
  }

  /** Whether the same may succeed later. */
  static boolean isLater(SQLException failure) {
    return LATER.contains(String.valueOf(failure.getSQLState()));
  }
}
