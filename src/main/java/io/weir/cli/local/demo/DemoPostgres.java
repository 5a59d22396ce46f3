package io.weir.cli.local.demo;

import io.weir.app.SinkKeys;
import io.weir.app.WeirConfig;
import io.weir.dev.EmbeddedPostgres;
import io.weir.sink.Sink;
import io.weir.sink.SinkSchema;
import io.weir.time.MonotonicClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A PostgreSQL of the demo's own, and the sink that writes its windows there. One thread. */
final class DemoPostgres implements AutoCloseable {
  private static final String SELECT =
      "SELECT sensor_id, window_start, count, mean FROM weir_latest LIMIT 10";
  private static final long PATIENCE_MS = 60_000;

  private final EmbeddedPostgres postgres = EmbeddedPostgres.start();
  private Sink sink;

  /** The settings of the sink. */
  Map<String, String> settings() {
    return Map.of(SinkKeys.JDBC_URL.name(), postgres.jdbcUrl());
  }

  /** Makes the tables and starts to write; the topics are there. */
  void start(WeirConfig config, DemoView view) {
    SinkSchema.init(config.sink());
    sink = Sink.start(config, false);
    view.say("windows in SQL: psql " + postgres.psqlUrl() + " -c '" + SELECT + "'");
  }

  /** Waits until it stands still, and says what is in the table. */
  void tell(DemoView view) {
    long endMs = MonotonicClock.millis() + PATIENCE_MS;
    while (sink.lagRecords() > 0 && MonotonicClock.millis() < endMs) {
      DemoCourse.pause();
    }
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("select count(*), sum(count + bad_count) from weir_windows")) {
      result.next();
      view.say(
          "weir_windows has %,d windows of %,d readings"
              .formatted(result.getLong(1), result.getLong(2)));
    } catch (SQLException e) {
      view.say("PostgreSQL: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    if (sink != null) {
      sink.close();
    }
    postgres.close();
  }
}
