package io.weir.sink;

import io.weir.app.SinkSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/**
 * The way to the database. Stateless; any thread may open connections.
 *
 * <p>No connection is waited for without end: the server ends statements after {@value
 * #STATEMENT_SECONDS} s and transactions in which nothing happens after {@code idleInTransaction},
 * and a server that says nothing for {@value #SOCKET_SECONDS} s is given up.
 */
final class Database {
  private static final int CONNECT_SECONDS = 10;
  private static final int STATEMENT_SECONDS = 60;
  private static final int SOCKET_SECONDS = 90;

  private final String url;
  private final Properties properties;
  private final Duration idleInTransaction;

  /**
   * @param idleInTransaction after which the server ends a transaction whose owner does nothing:
   *     shorter than the session timeout of the consumer group, so that a frozen owner blocks
   *     nobody who took over from it
   */
  Database(SinkSettings settings, Duration idleInTransaction) {
    this.url = settings.requiredUrl();
    this.properties = new Properties();
    this.idleInTransaction = idleInTransaction;
    settings.user().ifPresent(user -> properties.setProperty("user", user));
    settings.password().ifPresent(password -> properties.setProperty("password", password));
    // What the address says of these wins.
    properties.setProperty("ApplicationName", "weir sink");
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty("socketTimeout", Integer.toString(SOCKET_SECONDS));
    properties.setProperty("tcpKeepAlive", "true");
  }

  /** A new connection, with transactions that begin by themselves and last until they are ended. */
  Connection open() throws SQLException {
    Connection connection = DriverManager.getConnection(url, properties);
    try (Statement statement = connection.createStatement()) {
      requireUtf8(connection);
      statement.execute("set statement_timeout = '" + STATEMENT_SECONDS + "s'");
      statement.execute(
          "set idle_in_transaction_session_timeout = '" + idleInTransaction.toMillis() + "ms'");
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** The address without parameters, for messages. */
  String name() {
    int parameters = url.indexOf('?');
    String address = parameters < 0 ? url : url.substring(0, parameters);
    return address.substring("jdbc:".length());
  }

  private static void requireUtf8(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var result = statement.executeQuery("show server_encoding")) {
      result.next();
      if (!result.getString(1).equals("UTF8")) {
        throw new SinkRefusedException(
            "the database has the encoding "
                + result.getString(1)
                + ", in which not every sensor id can be written; needed is one with UTF8");
      }
    }
  }
}
