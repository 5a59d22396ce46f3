package io.weir.internal.collect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The identity of a database server and its tables.
 *
 * @param systemId assigned by initdb; a copy of the files has the same
 * @param timeline increases with each promotion and each point-in-time recovery
 * @param relations oids of the database and of its tables: a restored dump has others, also in the
 *     same cluster
 */
record ServerIdentity(long systemId, int timeline, String relations) {
  /** The timeline of the current WAL, because that of the last checkpoint is late. */
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

  /** The oids of the tables, without that of the database. */
  String tables() {
    return relations.substring(relations.indexOf(' ') + 1);
  }

  @Override
  public String toString() {
    return "system identifier %d, timeline %d, relations %s"
        .formatted(systemId, timeline, relations);
  }
}
