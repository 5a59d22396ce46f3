package io.weir.internal.sink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.DatabaseAddress;
import io.weir.internal.postgres.PostgresRefusedException;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.CloseReason;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.ExponentialHistogram.Buckets;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The windows in the sink's tables as messages again, read-only. Safe for many threads. */
public final class StoredWindows {
  private static final Logger LOG = LoggerFactory.getLogger(StoredWindows.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_ROWS = 100_000;

  /** Of the rows of one question; a window with a histogram takes a kilobyte or more. */
  private static final int MOST_BYTES = 32 << 20;

  /** Of a row besides its message, with its place in an answer. */
  private static final int ROW_BYTES = 256;

  /** A row may be of a megabyte, and the driver keeps so many. */
  private static final int FETCH_ROWS = 100;

  private static final Database.Limits LIMITS =
      new Database.Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(10));
  private static final long FIRST_MS = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST_MS = Instant.parse("9999-12-31T00:00:00Z").toEpochMilli();
  private static final Map<Topic, String> TABLES =
      Map.of(
          Topic.WINDOWS,
          "weir_windows",
          Topic.ROLLUPS,
          "weir_rollups",
          Topic.HOPPING,
          "weir_hopping");

  private final Database database;

  /**
   * One of them.
   *
   * @param summary as protobuf
   * @param offset of its record
   */
  public record Row(byte[] summary, long offset) {}

  /**
   * Windows of a sensor.
   *
   * @param rows newest first
   * @param complete whether the sink has written all records up to the wanted offset, and all that
   *     was found is here
   */
  public record Found(List<Row> rows, boolean complete) {}

  public StoredWindows(DatabaseAddress address) {
    this.database = new Database(address, LIMITS);
  }

  /**
   * Windows of a sensor; empty if the database cannot say. Opens a connection.
   *
   * @param name of the topic on the cluster
   * @param upTo the offset in the sensor's partition up to which records are wanted
   */
  public Optional<Found> find(
      Topic topic, String name, String sensorId, long fromMs, long toMs, long upTo) {
    try (Connection connection = database.open()) {
      connection.setReadOnly(true);
      long next = nextOffset(connection, name, SensorPartition.of(sensorId));
      List<Row> rows = new ArrayList<>();
      boolean all = read(connection, topic, sensorId, fromMs, toMs, rows);
      connection.rollback();
      return Optional.of(new Found(rows, next >= upTo && all));
    } catch (SQLException | PostgresRefusedException e) {
      String why = e instanceof SQLException failure ? database.advice(failure) : e.getMessage();
      LOG.warn("weir.serve.jdbc.url: {}; reading the topic instead", why);
      return Optional.empty();
    }
  }

  private static long nextOffset(Connection connection, String topic, int partition)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select next_offset from weir_sink_offsets where name = ? and partition = ?"
                + " order by generation desc limit 1")) {
      statement.setString(1, topic);
      statement.setInt(2, partition);
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? found.getLong(1) : -1;
      }
    }
  }

  /** Adds the rows, newest first, up to the limits; false if there may be more. */
  private static boolean read(
      Connection connection, Topic topic, String sensorId, long fromMs, long toMs, List<Row> rows)
      throws SQLException {
    long bytes = 0;
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select * from "
                + TABLES.get(topic)
                + " where sensor_id = ? and window_start >= ? and window_start < ?"
                + " order by window_start desc limit "
                + MOST_ROWS)) {
      statement.setFetchSize(FETCH_ROWS);
      statement.setString(1, sensorId);
      statement.setObject(2, time(fromMs));
      statement.setObject(3, time(toMs));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          byte[] summary = summary(row, sensorId).toByteArray();
          rows.add(new Row(summary, row.getLong("kafka_offset")));
          bytes += summary.length + ROW_BYTES;
          if (bytes > MOST_BYTES) {
            return false;
          }
        }
      }
    }
    return rows.size() < MOST_ROWS;
  }

  private static OffsetDateTime time(long ms) {
    return Instant.ofEpochMilli(Math.max(FIRST_MS, Math.min(LAST_MS, ms))).atOffset(ZoneOffset.UTC);
  }

  /** The message that the sink made the row of. */
  private static WindowSummary summary(ResultSet row, String sensorId) throws SQLException {
    WindowSummary.Builder window =
        WindowSummary.newBuilder()
            .setSensorId(sensorId)
            .setWindowStartMs(ms(row, "window_start"))
            .setWindowEndMs(ms(row, "window_end"))
            .setCount(row.getLong("count"))
            .setSum(row.getDouble("sum"))
            .setMin(row.getDouble("min"))
            .setMax(row.getDouble("max"))
            .setBadCount(row.getLong("bad_count"))
            .setRevision((int) row.getLong("revision"))
            .setCloseReason(reason(row.getString("close_reason")));
    if (row.getBoolean("is_final")) {
      window.setIsFinal(true);
    }
    if (row.getObject("first") != null) {
      window.setFirstTimestampMs(ms(row, "first_timestamp")).setFirst(row.getDouble("first"));
      window.setLastTimestampMs(ms(row, "last_timestamp")).setLast(row.getDouble("last"));
    }
    number(row, "m2", window::setM2);
    number(row, "integral", window::setIntegral);
    number(row, "increase", window::setIncrease);
    number(row, "resets", each -> window.setResets(each.longValue()));
    number(row, "uncertain_count", each -> window.setUncertainCount(each.longValue()));
    number(row, "mean", window::setMean);
    number(row, "standard_deviation", window::setStandardDeviation);
    number(row, "time_weighted_average", window::setTimeWeightedAverage);
    if (row.getObject("sum_rest") != null) {
      for (Double part : (Double[]) row.getArray("sum_rest").getArray()) {
        window.addSumRest(part);
      }
    }
    String histogram = row.getString("histogram");
    if (histogram != null) {
      window.setHistogram(histogram(histogram));
    }
    return window.build();
  }

  private static long ms(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant().toEpochMilli();
  }

  private static CloseReason reason(String name) {
    CloseReason[] all = CloseReason.values();
    for (CloseReason reason : all) {
      if (reason.name().equals("CLOSE_REASON_" + name)) {
        return reason;
      }
    }
    return all[0];
  }

  private static void number(ResultSet row, String column, Consumer<Double> setter)
      throws SQLException {
    double value = row.getDouble(column);
    if (!row.wasNull()) {
      setter.accept(value);
    }
  }

  private static ExponentialHistogram histogram(String text) throws SQLException {
    try {
      JsonNode json = JSON.readTree(text);
      return ExponentialHistogram.newBuilder()
          .setScale(json.path("scale").asInt())
          .setZeroCount(Long.parseUnsignedLong(json.path("zero_count").asText()))
          .setPositive(buckets(json.path("positive")))
          .setNegative(buckets(json.path("negative")))
          .build();
    } catch (IOException e) {
      throw new SQLException("histogram", e);
    }
  }

  private static Buckets buckets(JsonNode json) {
    Buckets.Builder buckets = Buckets.newBuilder().setOffset(json.path("offset").asInt());
    json.path("counts").forEach(each -> buckets.addCounts(Long.parseUnsignedLong(each.asText())));
    return buckets.build();
  }
}
