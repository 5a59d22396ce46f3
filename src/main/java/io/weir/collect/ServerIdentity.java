package io.weir.collect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Which life of which tables it is.
 *
 * @param systemId given when the cluster was made; a copy of its files has the same
 * @param timeline one more after each promotion and each restore to a point in time
 * @param relations oids of the database and of its tables: others after a dump was restored, also
 *     into the same cluster
 */
record ServerIdentity(long systemId, int timeline, String relations) {
  /** The timeline of the log that is written, not of the last checkpoint, which is late. */
  private static final String QUERY =
      """
      select (select system_identifier from pg_control_system()),
             ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int,
             concat_ws(' ', (select oid from pg_database where datname = current_database()),
                       'weir_outbox'::regclass::oid, 'weir_collector'::regclass::oid)""";

  static ServerIdentity of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(QUERY)) {
      result.next();
      return new ServerIdentity(result.getLong(1), result.getInt(2), result.getString(3));
    }
  }

  /** The tables' oids, without that of their database. */
  String tables() {
    return relations.substring(relations.indexOf(' ') + 1);
  }

  @Override
  public String toString() {
    return "system identifier %d, timeline %d, relations %s"
        .formatted(systemId, timeline, relations);
  }
}
