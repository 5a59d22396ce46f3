package io.weir.lab.chaos;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectSchema;
import io.weir.internal.sink.SinkSchema;
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
    OutboxApplication.createLedger(connection);
    TableUsers.install(connection);
  }

  /** Plants a bug of the sink or the collector, as a trigger; of other bugs nothing. */
  static void plant(PlantedBug bug, Connection connection) throws SQLException {
    switch (bug) {
      case CURSOR_BEFORE_DELIVERY ->
          beforeUpdate(connection, "weir_collector", "new.in_flight := old.in_flight; return new;");
      // By two: the next offset is mostly that of a transaction's marker.
      case SINK_OFFSETS_AHEAD ->
          beforeUpdate(
              connection,
              "weir_sink_offsets",
              """
              if new.next_offset > old.next_offset then
                new.next_offset := new.next_offset + 2;
              end if;
              return new;""");
      case SINK_KEEPS_FIRST -> beforeUpdate(connection, "weir_windows", "return null;");
      default -> {}
    }
  }

  private static void beforeUpdate(Connection connection, String table, String body)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create function chaos_bug() returns trigger language plpgsql as $$
          begin
          %s
          end
          $$"""
              .formatted(body));
      statement.execute(
          "create trigger chaos_bug before update on %s for each row execute function chaos_bug()"
              .formatted(table));
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
