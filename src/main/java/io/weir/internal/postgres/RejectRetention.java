package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rows after their retention, some thousand at a time, in short transactions of its own,
 * which also count them in a table, by reason. By the database's clock. One thread.
 */
public final class RejectRetention {
  private static final Logger LOG = LoggerFactory.getLogger(RejectRetention.class);

  static final int ROWS = 5_000;

  private static final long EVERY_MS = TimeUnit.MINUTES.toMillis(10);
  private static final long MORE_MS = TimeUnit.SECONDS.toMillis(1);
  private static final int STATEMENT_MS = 5_000;

  private static final String DELETE =
      """
      with gone as (
        delete from %1$s where ctid = any (array(
          select ctid from %1$s where %3$s < now() - make_interval(secs => ?)
           limit %2$d for update skip locked))
        returning reason),
      counted as (
        insert into %1$s_deleted as d (reason, deleted, deleted_at)
        select reason, count(*), now() from gone group by reason order by reason
        on conflict (reason) do update
          set deleted = d.deleted + excluded.deleted, deleted_at = excluded.deleted_at)
      select count(*) from gone""";

  private final String table;
  private final String time;
  private final Duration retention;
  private long nextMs = Long.MIN_VALUE;

  /**
   * @param table has a column reason; its name with {@code _deleted} is that of the counts
   * @param time its column with the time from which the retention counts
   */
  public RejectRetention(String table, String time, Duration retention) {
    this.table = table;
    this.time = time;
    this.retention = retention;
  }

  /**
   * Deletes what is due, if anything may be. Between transactions only: it commits.
   *
   * @param elapsedMs of a clock that never goes back
   * @return the number of deleted rows
   * @throws SQLException if the connection is lost
   */
  public int run(Connection connection, long elapsedMs) throws SQLException {
    if (elapsedMs < nextMs) {
      return 0;
    }
    nextMs = elapsedMs + EVERY_MS;
    try (Statement limit = connection.createStatement();
        PreparedStatement delete =
            connection.prepareStatement(DELETE.formatted(table, ROWS, time))) {
      limit.execute("set local statement_timeout = " + STATEMENT_MS);
      delete.setDouble(1, retention.toMillis() / 1_000.0);
      int deleted = 0;
      try (ResultSet row = delete.executeQuery()) {
        row.next();
        deleted = row.getInt(1);
      }
      connection.commit();
      nextMs = deleted == ROWS ? elapsedMs + MORE_MS : nextMs;
      if (deleted > 0) {
        LOG.warn(
            "deleted {} rows of {} after their retention; {}_deleted counts them",
            deleted,
            table,
            table);
      }
      return deleted;
    } catch (SQLException e) {
      connection.rollback(); // Fails too where the connection is lost.
      LOG.warn("old rows of {} are not deleted, tried again later: {}", table, SqlFailures.line(e));
      return 0;
    }
  }
}
