package io.weir.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a database. Stateless; any thread may open connections.
 *
 * <p>No connection is waited for without end: the server ends statements that take too long and
 * transactions in which nothing happens, and the connections of hosts that are gone; a server that
 * says nothing is given up.
 */
public final class Database {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private static final int CONNECT_SECONDS = 10;
  private static final int PROBES = 3;
  private static final long MAX_USER_MS = 60_000;
  private static final long MAX_PROBE_SECONDS = 15;

  private final DatabaseAddress address;
  private final Properties properties = new Properties();
  private final Limits limits;
  private final SessionParameters session;

  /**
   * How long is waited.
   *
   * @param statement after which the server ends a statement
   * @param silence after which a server that says nothing is given up; longer than a statement
   * @param idleInTransaction after which the server ends a transaction whose owner does nothing:
   *     shorter than the time after which others take over from an owner that is frozen, so that it
   *     blocks nobody
   */
  public record Limits(Duration statement, Duration silence, Duration idleInTransaction) {
    private static final Duration STATEMENT = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofSeconds(90);

    /** For statements that may take a while. */
    public static Limits of(Duration idleInTransaction) {
      return new Limits(STATEMENT, SILENCE, idleInTransaction);
    }
  }

  public Database(DatabaseAddress address, Limits limits) {
    this.address = address;
    this.limits = limits;
    this.session = SessionParameters.of(address.url());
    address.user().ifPresent(user -> properties.setProperty("user", user));
    address.password().ifPresent(password -> properties.setProperty("password", password));
    // What the address says of these wins.
    properties.setProperty("ApplicationName", address.program());
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty(
        "socketTimeout", Long.toString(Math.max(1, limits.silence().toSeconds())));
    properties.setProperty("tcpKeepAlive", "true");
  }

  /** A new connection, with transactions that begin by themselves and last until they are ended. */
  public Connection open() throws SQLException {
    Connection connection = DriverManager.getConnection(session.url(), properties);
    try (Statement statement = connection.createStatement()) {
      requireUtf8(connection);
      endWithItsHost(statement);
      session.set(connection);
      statement.execute("set statement_timeout = '" + limits.statement().toMillis() + "ms'");
      statement.execute(
          "set idle_in_transaction_session_timeout = '"
              + limits.idleInTransaction().toMillis()
              + "ms'");
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * The server gives up a host that is gone as soon as an owner that does nothing: by itself it
   * waits for two hours for what a COPY of it would bring.
   */
  private void endWithItsHost(Statement statement) throws SQLException {
    long ms = limits.idleInTransaction().toMillis();
    long seconds = Math.max(1, ms / 1_000 / (1 + PROBES));
    statement.execute("set tcp_user_timeout = " + Math.max(1_000, Math.min(ms, MAX_USER_MS)));
    statement.execute("set tcp_keepalives_idle = " + Math.min(seconds, MAX_PROBE_SECONDS));
    statement.execute("set tcp_keepalives_interval = " + Math.min(seconds, MAX_PROBE_SECONDS));
    statement.execute("set tcp_keepalives_count = " + PROBES);
  }

  /**
   * Ends whatever is asked on a connection at this moment, and everything from then on; for any
   * thread.
   *
   * @param connection may be null, and broken
   */
  public static void abort(Connection connection) {
    if (connection == null) {
      return;
    }
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("a connection that was given up", e);
    }
  }

  /** The address without parameters, for messages. */
  public String name() {
    return address.name();
  }

  /** A failure in one line, with what to do about it. */
  public String advice(SQLException failure) {
    return SqlFailures.advice(failure, address);
  }

  private static void requireUtf8(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var result = statement.executeQuery("show server_encoding")) {
      result.next();
      if (!result.getString(1).equals("UTF8")) {
        throw new PostgresRefusedException(
            "the database has the encoding "
                + result.getString(1)
                + ", in which not every sensor id can be written; needed is one with UTF8");
      }
    }
  }
}
