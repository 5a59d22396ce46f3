package io.weir.internal.collect;

import io.weir.internal.postgres.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Opens the collector's connection. Stateless. */
final class Session {
  private Session() {}

  /**
   * * Opens a connection.
   *
   * @throws CollectRefusedException if the server may lose committed transactions
   */
  static Connection open(Database database) throws SQLException {
    Connection connection = database.open();
    try (Statement statement = connection.createStatement()) {
      CollectSchema.FILES.require(connection, database);
      requireDurable(statement, database);
      // The index has the order. A plan from statistics of an empty outbox would sort all rows for
      // each batch.
      statement.execute("set enable_seqscan = off");
      statement.execute("set enable_bitmapscan = off");
      statement.execute("set enable_sort = off");
      statement.execute("set jit = off");
      statement.execute("listen " + CollectSchema.CHANNEL);
      connection.commit();
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Sent batches must stay committed: after a crash other rows would get their sequences. */
  private static void requireDurable(Statement statement, Database database) throws SQLException {
    if (show(statement, "fsync").equals("off")) {
      throw new CollectRefusedException(
          database.name()
              + " runs with fsync = off: a crash may lose the commit of sent rows, and send them"
              + " twice; set it to on");
    }
    String commits = show(statement, "synchronous_commit");
    boolean mayForget = commits.equals("off") || commits.equals("local");
    // Set in any case: the server's default may change during the session.
    statement.execute("set synchronous_commit = " + (mayForget ? "on" : commits));
  }

  private static String show(Statement statement, String setting) throws SQLException {
    try (ResultSet result = statement.executeQuery("show " + setting)) {
      result.next();
      return result.getString(1);
    }
  }
}
