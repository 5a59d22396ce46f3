package io.weir.lab.chaos;

import io.weir.lab.EmbeddedPostgres;
import io.weir.lab.hostile.HostileOutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A PostgreSQL with the tables of {@code weir sink} and {@code weir collect}, an honest application
 * that inserts readings into the outbox, and a hostile one. The honest one has a thread.
 */
final class HostileOutbox implements AutoCloseable {
  /** The sensor of the honest application. */
  static final String NEIGHBOUR = "outbox-neighbour";

  private static final Duration STEP = Duration.ofMillis(200);

  private final EmbeddedPostgres server = EmbeddedPostgres.start();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread writer = new Thread(this::write, "honest application");

  HostileOutbox() {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      PostgresTables.create(connection, server.jdbcUrl());
      statement.execute(HostileOutboxRow.PREPARE);
    } catch (SQLException e) {
      server.close();
      throw failure(e);
    }
    writer.setDaemon(true);
    writer.start();
  }

  String jdbcUrl() {
    return server.jdbcUrl();
  }

  private void write() {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      while (!Waiting.until(STEP, closed::get)) {
        statement.execute(
            "insert into weir_outbox (sensor_id, timestamp_ms, value) values ('%s', %d, 1.5)"
                .formatted(NEIGHBOUR, System.currentTimeMillis()));
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /**
   * Inserts rows.
   *
   * @throws SQLException if the server does not take them
   */
  void insert(HostileOutboxRow rows) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("insert into weir_outbox (" + rows.columns() + ") " + rows.select());
    }
  }

  /** Whether a table has a window of a sensor that ended after a time. */
  boolean hasWindowAfter(String sensor, long timeMs) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      return statement
          .executeQuery(
              """
              select 1 from weir_windows
               where sensor_id = '%s' and window_end > to_timestamp(%d / 1000.0) limit 1"""
                  .formatted(sensor, timeMs))
          .next();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static IllegalStateException failure(SQLException why) {
    return new IllegalStateException("PostgreSQL: " + why.getMessage(), why);
  }

  @Override
  public void close() {
    closed.set(true);
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.close();
  }
}
