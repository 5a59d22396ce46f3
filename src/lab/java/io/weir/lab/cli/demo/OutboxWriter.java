package io.weir.lab.cli.demo;

import io.weir.lab.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application that keeps its machines in PostgreSQL and knows nothing of Kafka: with each update
 * it inserts a reading into the outbox, in the same transaction. A thread of its own.
 */
final class OutboxWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxWriter.class);
  private static final int MACHINES = 5;
  private static final double RADIANS_PER_MS = 2e-4;

  private final EmbeddedPostgres postgres;
  private final Thread thread = new Thread(this::run, "demo-outbox-writer");
  private volatile long committed;
  private volatile boolean stopping;

  private OutboxWriter(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  /** Starts it; the outbox is there. */
  static OutboxWriter start(EmbeddedPostgres postgres) {
    OutboxWriter writer = new OutboxWriter(postgres);
    writer.thread.setDaemon(true);
    writer.thread.start();
    return writer;
  }

  /** Readings that were committed so far; all of them once it is closed. */
  long readings() {
    return committed;
  }

  private void run() {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create table machine (id int primary key, temperature float8)");
      connection.setAutoCommit(false);
      while (!stopping) {
        measure(connection, System.currentTimeMillis());
        DemoCourse.pause();
      }
    } catch (SQLException e) {
      LOG.warn("the application that writes to the outbox ended", e);
    }
  }

  private void measure(Connection connection, long nowMs) throws SQLException {
    try (PreparedStatement update =
            connection.prepareStatement(
                "insert into machine values (?, ?)"
                    + " on conflict (id) do update set temperature = excluded.temperature");
        PreparedStatement reading =
            connection.prepareStatement(
                "insert into weir_outbox (sensor_id, timestamp_ms, value) values (?, ?, ?)")) {
      for (int machine = 1; machine <= MACHINES; machine++) {
        double temperature = 60 + machine + 5 * Math.sin(nowMs * RADIANS_PER_MS + machine);
        update.setInt(1, machine);
        update.setDouble(2, temperature);
        update.addBatch();
        reading.setString(1, "machine-" + machine + "/temperature");
        reading.setLong(2, nowMs);
        reading.setDouble(3, temperature);
        reading.addBatch();
      }
      update.executeBatch();
      reading.executeBatch();
    }
    connection.commit();
    committed += MACHINES; // One thread writes it.
  }

  /** Ends it after the transaction under way; may be called twice. */
  @Override
  public void close() {
    stopping = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
