package io.weir.collect;

import io.weir.postgres.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A connection as the collector needs it. Stateless. */
final class Session {
  private Session() {}

  /**
   * Opens one.
   *
   * @throws CollectRefusedException if the server may forget what it said is committed
   */
  static Connection open(Database database) throws SQLException {
    Connection connection = database.open();
    try (Statement statement = connection.createStatement()) {
      CollectSchema.FILES.require(connection, database);
      requireDurable(statement, database);
      // The index gives the order. Another plan, made of statistics of a day when the outbox was
      // empty, would sort all of it for each batch.
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

  /** What is sent must stay written: after a crash others would be sent under its sequences. */
  private static void requireDurable(Statement statement, Database database) throws SQLException {
    if (show(statement, "fsync").equals("off")) {
      throw new CollectRefusedException(
          database.name()
              + " runs with fsync = off: a crash may take back what was sent, and it would be sent"
              + " twice; set it on");
    }
    String commits = show(statement, "synchronous_commit");
    boolean mayForget = commits.equals("off") || commits.equals("local");
    // Set in any case: the server's default may change while the session lasts.
    statement.execute("set synchronous_commit = " + (mayForget ? "on" : commits));
  }

  private static String show(Statement statement, String setting) throws SQLException {
    try (ResultSet result = statement.executeQuery("show " + setting)) {
      result.next();
      return result.getString(1);
    }
  }
}
