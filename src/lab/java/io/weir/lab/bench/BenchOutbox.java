package io.weir.lab.bench;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectSchema;
import io.weir.internal.collect.Collector;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;

/** An outbox in a schema of its own, and a topic of its own that it is collected to. */
final class BenchOutbox {
  private static final int SENSORS = 10_000;

  /** An application does not insert its backlog in one transaction. */
  private static final int ROWS_OF_A_TRANSACTION = 1_000;

  private static final String INSERT =
      """
      insert into weir_outbox (sensor_id, timestamp_ms, value)
      select 'plant-1/line-' || i %% 7 || '/sensor-' || i %% %d, ?::bigint + i, i * 0.1
        from generate_series(?::bigint, ?::bigint) i"""
          .formatted(SENSORS);

  private final TopicNames names;
  private final Map<String, String> settings = new HashMap<>();

  /**
   * Makes the tables and the topic.
   *
   * @param name that no other has
   * @param options of the collector
   */
  BenchOutbox(
      EmbeddedKafka kafka, EmbeddedPostgres postgres, String name, Map<String, String> options)
      throws SQLException {
    names = TopicNames.DEFAULT.with(Topic.READINGS, name + ".readings");
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create schema " + name);
    }
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("topic.readings", names.readings());
    settings.put("gateway.id", name);
    settings.put("collect.jdbc.url", postgres.jdbcUrl() + "&currentSchema=" + name);
    settings.putAll(options);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, names).createMissing();
    }
    CollectSchema.init(config().collect(), true);
  }

  private WeirConfig config() {
    return WeirConfig.of(new Properties(), Map.of(), settings);
  }

  String topic() {
    return names.readings();
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(settings.get("collect.jdbc.url"));
  }

  /** Inserts readings of many sensors. */
  void fill(int rows) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int from = 0; from < rows; from += ROWS_OF_A_TRANSACTION) {
        insert.setLong(1, System.currentTimeMillis() - rows);
        insert.setLong(2, from);
        insert.setLong(3, Math.min(rows, from + ROWS_OF_A_TRANSACTION) - 1);
        insert.executeUpdate();
      }
    }
  }

  Collector collect() {
    return Collector.start(config());
  }

  /**
   * Looks after a collector.
   *
   * @throws IllegalStateException if it has ended
   */
  static void requireRunning(Collector collector) {
    if (collector.ended().isDone()) {
      throw new IllegalStateException(
          "the collector ended: " + collector.ended().join().orElse(""));
    }
  }
}
