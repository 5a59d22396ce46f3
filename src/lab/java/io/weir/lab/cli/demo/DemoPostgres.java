package io.weir.lab.cli.demo;

import io.weir.internal.app.CollectKeys;
import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.Service;
import io.weir.internal.app.SinkKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectSchema;
import io.weir.internal.collect.Collector;
import io.weir.internal.sink.Sink;
import io.weir.internal.sink.SinkSchema;
import io.weir.internal.time.MonotonicClock;
import io.weir.lab.AuditTally;
import io.weir.lab.Balance;
import io.weir.lab.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * A PostgreSQL of the demo's own, with a sink that writes its windows there, and an application
 * whose readings come out of an outbox there. One thread.
 */
final class DemoPostgres implements AutoCloseable {
  private static final String GATEWAY = "gateway-outbox";
  private static final String SELECT =
      "SELECT sensor_id, window_start, count, round(mean::numeric, 3) AS mean FROM weir_latest"
          + " WHERE sensor_id LIKE 'machine-%' ORDER BY sensor_id";
  private static final long TIMEOUT_MS = 60_000;
  private static final long HURRY_MS = 3_000;

  private final EmbeddedPostgres postgres = EmbeddedPostgres.start();
  private Sink sink;
  private Collector collector;
  private OutboxWriter writer;

  /** The settings of sink and collector. */
  Map<String, String> settings() {
    return Map.of(
        SinkKeys.JDBC_URL.name(),
        postgres.jdbcUrl(),
        CollectKeys.JDBC_URL.name(),
        postgres.jdbcUrl(),
        CollectKeys.BATCH_TIMEOUT.name(),
        "100ms",
        EdgeKeys.GATEWAY_ID.name(),
        GATEWAY);
  }

  /** Makes the tables, and starts sink and collector; the topics are there. */
  void start(WeirConfig config, DemoView view) {
    SinkSchema.init(config.sink());
    CollectSchema.init(config.collect(), true);
    sink = Sink.start(config, false);
    collector = Collector.start(config);
    view.say("windows in SQL: psql " + postgres.psqlUrl() + " -c \"" + SELECT + "\"");
    view.say(
        "readings in SQL: INSERT INTO weir_outbox (sensor_id, timestamp_ms, value) VALUES"
            + " ('machine-1/temperature', extract(epoch FROM now()) * 1000, 71.5)");
  }

  /** Starts the application that inserts readings. */
  void startWriting() {
    writer = OutboxWriter.start(postgres);
  }

  /** Ends it. */
  void stopWriting() {
    writer.close();
  }

  /** Readings that came by the outbox, those that are on the topic twice counted twice. */
  long offered(AuditTally tally) {
    return (writer == null ? 0 : writer.readings()) + tally.duplicatesOf(GATEWAY);
  }

  /**
   * That sink and collector run.
   *
   * @throws IllegalStateException where one has ended
   */
  void requireAlive() {
    requireAlive("sink", sink);
    requireAlive("collector", collector);
  }

  private static void requireAlive(String name, Service service) {
    if (service.ended().isDone()) {
      throw new IllegalStateException(
          "the " + name + " ended: " + service.ended().join().orElse("nobody asked it to"));
    }
  }

  /**
   * Waits until the table has what the topic has, and says what is in it.
   *
   * @param hurry whether somebody wants it to end: then it waits for a moment only
   */
  void report(Balance balance, DemoView view, BooleanSupplier hurry) {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      view.say(whole(balance, statement, hurry));
      view.say(SELECT + ";");
      try (ResultSet rows = statement.executeQuery(SELECT)) {
        TextRows.of(rows).forEach(view::say);
      }
    } catch (SQLException e) {
      view.say("PostgreSQL: " + e.getMessage());
    }
  }

  private static String whole(Balance balance, Statement statement, BooleanSupplier hurry)
      throws SQLException {
    long startMs = MonotonicClock.millis();
    while (true) {
      try (ResultSet sums =
          statement.executeQuery(
              "select count(*), coalesce(sum(count + bad_count), 0) from weir_windows")) {
        sums.next();
        long readings = sums.getLong(2);
        long atMostMs = hurry.getAsBoolean() ? HURRY_MS : TIMEOUT_MS;
        // More than that are there where the topic was not read to its end for the balance.
        if (readings >= balance.inWindows() || MonotonicClock.millis() - startMs >= atMostMs) {
          return "weir_windows has %,d windows of %,d readings; the topic has %,d readings"
              .formatted(sums.getLong(1), readings, balance.inWindows());
        }
      }
      DemoCourse.pause();
    }
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
    if (collector != null) {
      collector.close();
    }
    if (sink != null) {
      sink.close();
    }
    postgres.close();
  }
}
