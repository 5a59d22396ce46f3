package io.weir.internal.collect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The transaction that holds rows back.
 *
 * @param by its kind
 * @param who its description
 */
record HeldBack(By by, String who) {
  /** The kind of such a transaction. */
  enum By {
    /** A running one. */
    TRANSACTION,
    /** A prepared one, which waits for its COMMIT PREPARED. */
    PREPARED,
    /** One that has ended meanwhile, or is not visible to this role. */
    UNKNOWN
  }

  private static final HeldBack UNKNOWN =
      new HeldBack(
          By.UNKNOWN,
          "a transaction that ended meanwhile, or that this role may not see (grant pg_read_all_stats)");
  private static final String OLDEST =
      """
      select kind, who from (
        select 'TRANSACTION' as kind, backend_xid as xact,
               case when xact_start is null
                 then format('the transaction of pid %s (%s), more of which this role may not see'
                             ' (grant pg_read_all_stats)', pid, usename)
                 else format('the transaction of pid %s (%s, application %s), %s, for %s s', pid,
                             usename, coalesce(nullif(application_name, ''), 'without name'), state,
                             floor(extract(epoch from clock_timestamp() - xact_start)))
               end as who
          from pg_stat_activity where backend_xid is not null
        union all
        select 'PREPARED', transaction,
               format('the prepared transaction %s of %s, for %s s', quote_literal(gid), owner,
                      floor(extract(epoch from clock_timestamp() - prepared)))
          from pg_prepared_xacts
      ) t
      order by age(xact) desc limit 1""";

  static HeldBack find(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OLDEST);
        ResultSet result = statement.executeQuery()) {
      return result.next()
          ? new HeldBack(By.valueOf(result.getString(1)), result.getString(2))
          : UNKNOWN;
    }
  }
}
