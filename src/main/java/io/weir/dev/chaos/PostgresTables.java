package io.weir.dev.chaos;

import io.weir.app.WeirConfig;
import io.weir.collect.CollectSchema;
import io.weir.sink.SinkSchema;
import io.weir.topic.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The tables of a run, as {@code --init} of both commands makes them. Stateless. */
final class PostgresTables {
  private PostgresTables() {}

  /** Makes all of them, with the trigger that notifies. */
  static void create(Connection connection, String jdbcUrl) throws SQLException {
    WeirConfig config =
        WeirConfig.of(
            new Properties(),
            Map.of(),
            Map.of("sink.jdbc.url", jdbcUrl, "collect.jdbc.url", jdbcUrl));
    SinkSchema.init(config.sink());
    CollectSchema.init(config.collect(), true);
    OutboxWriter.createLedger(connection);
  }

  /**
   * Plants a bug: the cursors move, and what is in flight is not kept. So a process that is killed
   * before it sent it has lost it.
   */
  static void forgetInFlight(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create function chaos_forget() returns trigger language plpgsql as $$
          begin
            new.in_flight := old.in_flight;
            return new;
          end
          $$""");
      statement.execute(
          "create trigger chaos_forget before update on weir_collector"
              + " for each row execute function chaos_forget()");
    }
  }

  /** What the sink writes in a run. */
  static List<TableOracle> written(boolean events) {
    List<TableOracle> tables =
        new ArrayList<>(
            List.of(
                TableOracle.ofSummaries(Topic.WINDOWS, "weir_windows"),
                TableOracle.ofSummaries(Topic.ROLLUPS, "weir_rollups"),
                TableOracle.ofSummaries(Topic.HOPPING, "weir_hopping"),
                StateTables.status()));
    if (events) {
      tables.add(TableOracle.ofGroups());
      tables.add(StateTables.entities());
    }
    return tables;
  }
}
