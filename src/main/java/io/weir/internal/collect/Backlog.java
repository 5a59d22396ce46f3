package io.weir.internal.collect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The rows after the cursors, including those that are held back.
 *
 * @param rows their number, up to {@value #MOST} of each priority
 * @param oldestXact transaction that inserted the oldest row; null if there is none
 * @param nextXact next unassigned transaction id
 */
record Backlog(long rows, Long oldestXact, long nextXact) {
  static final int MOST = 100_000;
  private static final String QUERY =
      """
      select coalesce(sum(c.rows), 0),
             (array_agg(c.oldest order by c.oldest) filter (where c.oldest is not null))[1]::text,
             pg_snapshot_xmax(pg_current_snapshot())::text
        from unnest(?::smallint[], ?::xid8[], ?::bigint[]) as p(priority, xact, id)
       cross join lateral (
         select (select count(*) from (
                   select from weir_outbox o
                    where o.priority = p.priority and (o.xact, o.id) > (p.xact, p.id)
                    limit 100000) w) as rows,
                (select o.xact from weir_outbox o
                  where o.priority = p.priority and (o.xact, o.id) > (p.xact, p.id)
                  order by o.xact, o.id limit 1) as oldest
       ) c""";

  static Backlog count(Connection connection, List<Cursor> cursors) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
      statement.setArray(1, connection.createArrayOf("int2", new Object[] {0, 1, 2}));
      statement.setArray(
          2,
          connection.createArrayOf(
              "text", cursors.stream().map(c -> Long.toUnsignedString(c.xact())).toArray()));
      statement.setArray(
          3, connection.createArrayOf("int8", cursors.stream().map(Cursor::id).toArray()));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        String oldest = result.getString(2);
        return new Backlog(
            result.getLong(1),
            oldest == null ? null : Long.parseUnsignedLong(oldest),
            Long.parseUnsignedLong(result.getString(3)));
      }
    }
  }
}
