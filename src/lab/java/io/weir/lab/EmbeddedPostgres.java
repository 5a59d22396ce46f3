package io.weir.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A PostgreSQL server out of a jar, for Linux or macOS: in a process of its own, on a temporary
 * directory, reachable from this machine alone and without a password. Up in a few seconds. It can
 * be killed and started again. It ends with this JVM at the latest, and not before, whatever the
 * terminal sends. For root it runs in a user namespace, as PostgreSQL refuses root. Not safe for
 * several threads.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  static final String USER = "weir";
  private static final long TIMEOUT_SECONDS = 60;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final TemporaryDirectory directory;
  private final PostgresFiles files;
  private final int port;
  private final Map<String, String> settings;
  private final PostgresGuard guard;
  private Process server;

  private EmbeddedPostgres(
      TemporaryDirectory directory,
      PostgresFiles files,
      PostgresGuard guard,
      int port,
      Map<String, String> settings) {
    this.directory = directory;
    this.files = files;
    this.guard = guard;
    this.port = port;
    this.settings = Map.copyOf(settings);
  }

  /** Starts one on a free port; returns when it takes clients. */
  public static EmbeddedPostgres start() {
    return start(0, Map.of());
  }

  /**
   * Starts one; returns when it takes clients.
   *
   * @param port 0 for any that is free
   * @param settings as in postgresql.conf
   * @throws UncheckedIOException if it cannot be started on this machine
   */
  public static EmbeddedPostgres start(int port, Map<String, String> settings) {
    TemporaryDirectory directory = TemporaryDirectory.createForData("weir-postgres");
    try {
      PostgresGuard guard = PostgresGuard.start(directory.path());
      PostgresFiles files = PostgresFiles.in(directory.path());
      EmbeddedPostgres postgres =
          new EmbeddedPostgres(directory, files, guard, port == 0 ? freePort() : port, settings);
      files.copyEmpty(Path.of(postgres.data()));
      postgres.startServer();
      return postgres;
    } catch (IOException e) {
      directory.close();
      throw new UncheckedIOException("PostgreSQL: " + e.getMessage(), e);
    }
  }

  /** Its database, by JDBC, with the user in it. */
  public String jdbcUrl() {
    return "jdbc:postgresql://" + HOST + ":" + port + "/postgres?user=" + USER;
  }

  /** What to give to psql. */
  public String psqlUrl() {
    return "postgresql://" + USER + "@" + HOST + ":" + port + "/postgres";
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl());
  }

  /** Ends it as a power cut would, but for what the operating system still writes. */
  public void kill() {
    if (server != null) {
      server.destroyForcibly();
      awaitEnd();
    }
  }

  /** Starts it again after {@link #kill}, on what it wrote. */
  public void restart() {
    try {
      startServer();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL: " + e.getMessage(), e);
    }
  }

  private void startServer() throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-D", data(), "-h", HOST, "-p", Integer.toString(port)));
    arguments.addAll(List.of("-c", "unix_socket_directories="));
    settings.forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    server = process(arguments);
    while (!takesClients()) {
      // After a kill its children may hold the port and the shared memory for a moment.
      if (!server.isAlive()) {
        server = process(arguments);
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException("it does not start: " + Files.readString(log()).strip());
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private boolean takesClients() {
    try (Connection connection = connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private Process process(List<String> arguments) throws IOException {
    return files
        .program("postgres", arguments)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  private String data() {
    return directory.path().resolve("data").toString();
  }

  private Path log() {
    return directory.path().resolve("log");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  private void awaitEnd() {
    try {
      server.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it and deletes what it wrote. */
  @Override
  public void close() {
    kill();
    guard.close();
    directory.close();
  }
}
