package io.weir.internal.sink;

import io.weir.v1.AlarmState;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** The state of sensors by weir_status and weir_alarms, read by plain SQL, and made up. */
final class StatusTable {
  private StatusTable() {}

  /** Every sensor of the table, with its alarms in the order of their rules. */
  static Map<String, SensorStatus> read(Connection connection) throws SQLException {
    Map<String, SensorStatus.Builder> found = new TreeMap<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery(
              "select *, round(extract(epoch from since) * 1000)::bigint as since_ms,"
                  + " round(extract(epoch from last_timestamp) * 1000)::bigint as last_ms"
                  + " from weir_status")) {
        while (row.next()) {
          SensorStatus.Builder status = status(row);
          found.put(status.getSensorId(), status);
        }
      }
      try (ResultSet row =
          statement.executeQuery(
              "select *, round(extract(epoch from since) * 1000)::bigint as since_ms"
                  + " from weir_alarms order by sensor_id, rule")) {
        while (row.next()) {
          found.get(row.getString("sensor_id")).addAlarms(alarm(row));
        }
      }
    }
    Map<String, SensorStatus> all = new TreeMap<>();
    found.forEach((sensor, status) -> all.put(sensor, status.build()));
    return all;
  }

  private static SensorStatus.Builder status(ResultSet row) throws SQLException {
    String gateway = row.getString("gateway_id");
    return SensorStatus.newBuilder()
        .setSensorId(row.getString("sensor_id"))
        .setState(SensorState.valueOf("SENSOR_STATE_" + row.getString("state")))
        .setSinceMs(row.getLong("since_ms"))
        .setLastTimestampMs(row.getLong("last_ms"))
        .setGatewayId(gateway == null ? "" : gateway);
  }

  private static AlarmState alarm(ResultSet row) throws SQLException {
    return AlarmState.newBuilder()
        .setRule(row.getString("rule"))
        .setLevel(row.getString("level"))
        .setActive(row.getBoolean("active"))
        .setSinceMs(row.getLong("since_ms"))
        .setValue(row.getDouble("value"))
        .setPriority((int) row.getLong("priority"))
        .build();
  }

  /** A status with up to three alarms, whose values are of all kinds. */
  static SensorStatus random(Random random, String sensorId) {
    SensorStatus.Builder status =
        SensorStatus.newBuilder()
            .setSensorId(sensorId)
            .setState(SensorState.forNumber(1 + random.nextInt(4)))
            .setSinceMs(random.nextLong(4_000_000_000_000L))
            .setLastTimestampMs(random.nextBoolean() ? 0 : random.nextLong(4_000_000_000_000L))
            .setGatewayId(random.nextBoolean() ? "" : "gateway \"ü\" \\");
    int alarms = random.nextInt(4);
    for (int i = 0; i < alarms; i++) {
      status.addAlarms(
          AlarmState.newBuilder()
              .setRule("rule \"" + i + "\"\n\\")
              .setLevel("high-high")
              .setActive(random.nextBoolean())
              .setSinceMs(random.nextLong(4_000_000_000_000L))
              .setValue(random.nextInt(20) == 0 ? Double.NaN : RandomSummaries.number(random))
              .setPriority(random.nextInt(10)));
    }
    return status.build();
  }
}
