package io.weir.collect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Which life of which database it is.
 *
 * @param systemId given when the cluster was made; a copy of its files has the same
 * @param timeline one more after each promotion and each restore to a point in time
 */
record ServerIdentity(long systemId, int timeline) {
  /** Of the log that is written, not of the last checkpoint, which is late after a promotion. */
  private static final String QUERY =
      """
      select (select system_identifier from pg_control_system()),
             ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int""";

  static ServerIdentity of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(QUERY)) {
      result.next();
      return new ServerIdentity(result.getLong(1), result.getInt(2));
    }
  }

  @Override
  public String toString() {
    return "system identifier " + systemId + ", timeline " + timeline;
  }
}
