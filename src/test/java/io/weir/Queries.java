package io.weir;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Asks a database for numbers, again and again, over one connection: a server starts a process for
 * each new one. A connection that broke is replaced. Thread-safe.
 */
public final class Queries implements AutoCloseable {
  private final String url;
  private Connection connection;

  public Queries(String url) {
    this.url = url;
  }

  /** The first column of the first row; -1 where there is none. */
  public synchronized long number(String sql) throws SQLException {
    try {
      return ask(sql);
    } catch (SQLException e) {
      if (connection == null || !connection.isClosed()) {
        throw e;
      }
      return ask(sql);
    }
  }

  private long ask(String sql) throws SQLException {
    if (connection == null || connection.isClosed()) {
      connection = DriverManager.getConnection(url);
    }
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getLong(1) : -1;
    }
  }

  @Override
  public synchronized void close() throws SQLException {
    if (connection != null) {
      connection.close();
    }
  }
}
