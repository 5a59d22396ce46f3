package io.weir.internal.sink;

import io.weir.summary.WindowKey;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** What is in a table of summaries, read by plain SQL. */
final class SummaryTable {
  private SummaryTable() {}

  /** The summaries of a table, but for histograms, and the offset that each came from. */
  static Map<WindowKey, WindowSummary> read(Connection connection, String table)
      throws SQLException {
    Map<WindowKey, WindowSummary> summaries = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select *, round(extract(epoch from window_start) * 1000)::bigint as start_ms,"
                    + " round(extract(epoch from window_end) * 1000)::bigint as end_ms,"
                    + " round(extract(epoch from first_timestamp) * 1000)::bigint as first_ms,"
                    + " round(extract(epoch from last_timestamp) * 1000)::bigint as last_ms from "
                    + table)) {
      while (row.next()) {
        WindowSummary summary = summary(row);
        if (summaries.put(WindowKey.of(summary), summary) != null) {
          throw new AssertionError("twice: " + summary);
        }
      }
    }
    return summaries;
  }

  private static WindowSummary summary(ResultSet row) throws SQLException {
    WindowSummary.Builder summary =
        WindowSummary.newBuilder()
            .setSensorId(row.getString("sensor_id"))
            .setWindowStartMs(row.getLong("start_ms"))
            .setWindowEndMs(row.getLong("end_ms"))
            .setCount(row.getLong("count"))
            .setBadCount(row.getLong("bad_count"))
            .setRevision((int) row.getLong("revision"))
            .setCloseReason(CloseReason.valueOf("CLOSE_REASON_" + row.getString("close_reason")));
    if (row.getObject("sum") != null) {
      summary
          .setSum(row.getDouble("sum"))
          .setMin(row.getDouble("min"))
          .setMax(row.getDouble("max"));
    }
    if (row.getBoolean("is_final")) {
      summary.setIsFinal(true);
    }
    if (row.getObject("first") != null) {
      summary
          .setFirstTimestampMs(row.getLong("first_ms"))
          .setFirst(row.getDouble("first"))
          .setLastTimestampMs(row.getLong("last_ms"))
          .setLast(row.getDouble("last"))
          .setM2(row.getDouble("m2"))
          .setIntegral(row.getDouble("integral"))
          .setIncrease(row.getDouble("increase"))
          .setResets(row.getLong("resets"))
          .setUncertainCount(row.getLong("uncertain_count"));
    }
    return summary.build();
  }

  /** A summary as {@link #read} gives it. */
  static WindowSummary withoutHistogram(WindowSummary summary) {
    return summary.toBuilder().clearHistogram().build();
  }
}
