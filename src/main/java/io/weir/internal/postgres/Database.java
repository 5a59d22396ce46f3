package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections to a database. Stateless; any thread may call.
 *
 * <p>All waits are limited: the server ends long statements, idle transactions and connections of
 * unreachable hosts; the client closes the connection to a silent server.
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
   * The timeouts of a connection.
   *
   * @param statement limit of a statement, which the server ends
   * @param silence limit of the wait for an answer of the server; longer than that of a statement
   * @param idleInTransaction limit of an idle transaction, which the server ends: shorter than the
   *     time after which another process takes over, so that a frozen owner does not block it
   */
  public record Limits(Duration statement, Duration silence, Duration idleInTransaction) {
    private static final Duration STATEMENT = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofSeconds(90);

    /** Timeouts for long statements. */
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
    // Parameters of the address override these.
    properties.setProperty("ApplicationName", address.program());
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty(
        "socketTimeout", Long.toString(Math.max(1, limits.silence().toSeconds())));
    properties.setProperty("tcpKeepAlive", "true");
  }

  /** The same database with other timeouts. */
  public Database with(Limits others) {
    return new Database(address, others);
  }

  /** A new connection, without autocommit. */
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
   * The server closes connections of unreachable hosts after the same limit: by default it waits
   * two hours for the data of their COPY.
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
   * Aborts a connection with its current request; any thread may call.
   *
   * @param connection may be null or broken
   */
  public static void abort(Connection connection) {
    if (connection == null) {
      return;
    }
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("could not abort the connection", e);
    }
  }

  /** The address without parameters, for messages. */
  public String name() {
    return address.name();
  }

  /** A failure after which a retry may succeed, in one line. */
  public String waitsFor(SQLException failure) {
    String readOnly =
        "25006".equals(failure.getSQLState())
            ? ": the server is read-only, as a standby is; waiting until it accepts writes"
            : "";
    return "PostgreSQL at " + address.name() + ": " + SqlFailures.line(failure) + readOnly;
  }

  /** A failure in one line, with its remedy. */
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
                + ", which cannot store all sensor ids; use a database with UTF8");
      }
    }
  }
}
