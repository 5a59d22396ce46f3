package io.weir.internal.postgres;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /**
   * Settings of a session in the address, such as {@code currentSchema} and {@code options}. They
   * are set by SQL after the connection is open, because poolers such as PgBouncer refuse them at
   * the start.
   *
   * @param url the address without them
   * @param settings by name
   */
  record SessionParameters(String url, Map<String, String> settings) {
    private static final String SCHEMA = "currentSchema";
    private static final String OPTIONS = "options";

    /** An option of the server: {@code -c name=value} or {@code --name=value}. */
    private static final Pattern OPTION =
        Pattern.compile("\\G\\s*(?:-c\\s*|--)([A-Za-z0-9_.-]+)=((?:\\\\.|[^\\s\\\\])*)(?=\\s|$)");

    /** Removes them from an address; options in another form remain in it. */
    static SessionParameters of(String url) {
      int query = url.indexOf('?');
      if (query < 0) {
        return new SessionParameters(url, Map.of());
      }
      Map<String, String> settings = new LinkedHashMap<>();
      List<String> left = new ArrayList<>();
      for (String parameter : url.substring(query + 1).split("&")) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String value =
            equals < 0
                ? ""
                : URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
        if (name.equals(SCHEMA) && !value.isEmpty()) {
          settings.put("search_path", value);
        } else if (!name.equals(OPTIONS) || !options(value, settings)) {
          left.add(parameter);
        }
      }
      String address = url.substring(0, query);
      return new SessionParameters(
          left.isEmpty() ? address : address + "?" + String.join("&", left), settings);
    }

    private static boolean options(String text, Map<String, String> settings) {
      Map<String, String> found = new LinkedHashMap<>();
      Matcher matcher = OPTION.matcher(text);
      int end = 0;
      while (matcher.find()) {
        found.put(matcher.group(1).replace('-', '_'), matcher.group(2).replaceAll("\\\\(.)", "$1"));
        end = matcher.end();
      }
      if (found.isEmpty() || !text.substring(end).isBlank()) {
        return false;
      }
      found.forEach(settings::putIfAbsent);
      return true;
    }

    /** Sets them in a session. */
    void set(Connection connection) throws SQLException {
      try (PreparedStatement statement =
          connection.prepareStatement("select set_config(?, ?, false)")) {
        for (Map.Entry<String, String> setting : settings.entrySet()) {
          statement.setString(1, setting.getKey());
          statement.setString(2, setting.getValue());
          statement.execute();
        }
      }
    }
  }
}
