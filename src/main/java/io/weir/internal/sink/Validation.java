package io.weir.internal.sink;

import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Validates the CHECK of a large default partition on a thread and a connection of its own: the
 * scan takes minutes, blocks neither readers nor writers, and the sink continues meanwhile. All
 * methods but {@link #close} are for one thread.
 */
final class Validation implements AutoCloseable {
  /** Leaves it to a later attempt. */
  static final Validation NONE = new Validation(null);

  private static final Logger LOG = LoggerFactory.getLogger(Sink.class);
  private static final Duration LONGEST = Duration.ofHours(6);

  private final Database database;
  private Thread thread;
  private volatile Connection connection;

  /**
   * @param database may be null
   */
  Validation(Database database) {
    this.database =
        database == null
            ? null
            : database.with(new Database.Limits(LONGEST, LONGEST.plusMinutes(1), LONGEST));
  }

  boolean isRunning() {
    return thread != null && thread.isAlive();
  }

  /** Starts a statement, unless one is running. */
  void start(String statement) {
    if (database != null && !isRunning()) {
      thread = new Thread(() -> run(statement), "weir-sink-validation");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run(String sql) {
    LOG.info("started over a connection of its own: {}", sql);
    try (Connection own = database.open();
        Statement statement = own.createStatement()) {
      connection = own;
      statement.execute("set local lock_timeout = '5s'");
      statement.execute(sql);
      own.commit();
      LOG.info("ended: {}", sql);
    } catch (SQLException e) {
      LOG.warn("{}, retrying later: {}", sql, SqlFailures.line(e));
    }
  }

  @Override
  public void close() {
    Database.abort(connection);
  }
}
