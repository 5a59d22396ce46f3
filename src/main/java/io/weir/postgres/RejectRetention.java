package io.weir.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rejects after their retention, some thousand at a time, in short transactions of its own.
 * By the database's clock. One thread.
 */
public final class RejectRetention {
  private static final Logger LOG = LoggerFactory.getLogger(RejectRetention.class);

  static final int ROWS = 5_000;

  private static final long EVERY_MS = TimeUnit.MINUTES.toMillis(10);
  private static final long MORE_MS = TimeUnit.SECONDS.toMillis(1);
  private static final int STATEMENT_MS = 5_000;

  private final String table;
  private final Duration retention;
  private long nextMs = Long.MIN_VALUE;

  /**
   * @param table has a column rejected_at
   */
  public RejectRetention(String table, Duration retention) {
    this.table = table;
    this.retention = retention;
  }

  /**
   * Deletes what is due, if anything may be. Between transactions only: it commits.
   *
   * @param elapsedMs of a clock that never goes back
   * @throws SQLException if the connection is lost
   */
  public void run(Connection connection, long elapsedMs) throws SQLException {
    if (elapsedMs < nextMs) {
      return;
    }
    nextMs = elapsedMs + EVERY_MS;
    try (Statement limit = connection.createStatement();
        PreparedStatement delete =
            connection.prepareStatement(
                """
                delete from %1$s where ctid = any (array(
                  select ctid from %1$s where rejected_at < now() - make_interval(secs => ?)
                   limit %2$d for update skip locked))"""
                    .formatted(table, ROWS))) {
      limit.execute("set local statement_timeout = " + STATEMENT_MS);
      delete.setDouble(1, retention.toMillis() / 1_000.0);
      int deleted = delete.executeUpdate();
      connection.commit();
      nextMs = deleted == ROWS ? elapsedMs + MORE_MS : nextMs;
    } catch (SQLException e) {
      connection.rollback(); // Fails too where the connection is lost.
      LOG.warn("old rows of {} are not deleted, tried again later: {}", table, SqlFailures.line(e));
    }
  }
}
