package io.weir.connect;

import io.weir.summary.Derived;
import io.weir.v1.CloseReason;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.ExponentialHistogram.Buckets;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;

/**
 * Structs with the names and nulls of the columns of {@code weir_windows}; times are Connect's
 * Timestamp. {@code sum_rest} has no type that sinks agree on, so there is no field for it.
 * Immutable.
 */
final class WindowStructs {
  private static final String PREFIX = "CLOSE_REASON_";

  private static final Schema TIME = Timestamp.builder().optional().build();
  private static final Schema NUMBER = Schema.OPTIONAL_FLOAT64_SCHEMA;

  /**
   * A field of a struct.
   *
   * @param value null where the summary has none
   */
  private record Column(String name, Schema schema, Function<WindowSummary, Object> value) {}

  private static final Schema KEY =
      SchemaBuilder.struct()
          .name("io.weir.connect.WindowKey")
          .version(1)
          .field("sensor_id", Schema.STRING_SCHEMA)
          .field("window_start", Timestamp.SCHEMA)
          .field("window_end", Timestamp.SCHEMA)
          .build();

  private static final List<Column> COLUMNS =
      List.of(
          new Column("sensor_id", Schema.STRING_SCHEMA, WindowSummary::getSensorId),
          new Column("window_start", Timestamp.SCHEMA, w -> new Date(w.getWindowStartMs())),
          new Column("window_end", Timestamp.SCHEMA, w -> new Date(w.getWindowEndMs())),
          new Column("count", Schema.INT64_SCHEMA, w -> count("count", w.getCount())),
          new Column("sum", NUMBER, w -> w.getCount() == 0 ? null : w.getSum()),
          new Column("min", NUMBER, w -> w.getCount() == 0 ? null : w.getMin()),
          new Column("max", NUMBER, w -> w.getCount() == 0 ? null : w.getMax()),
          new Column("bad_count", Schema.INT64_SCHEMA, w -> count("bad_count", w.getBadCount())),
          new Column("revision", Schema.INT64_SCHEMA, w -> Integer.toUnsignedLong(w.getRevision())),
          new Column("close_reason", Schema.STRING_SCHEMA, WindowStructs::reason),
          new Column("is_final", Schema.BOOLEAN_SCHEMA, WindowSummary::getIsFinal),
          new Column(
              "first_timestamp",
              TIME,
              w -> w.hasFirstTimestampMs() ? new Date(w.getFirstTimestampMs()) : null),
          new Column("first", NUMBER, w -> w.hasFirst() ? w.getFirst() : null),
          new Column(
              "last_timestamp",
              TIME,
              w -> w.hasLastTimestampMs() ? new Date(w.getLastTimestampMs()) : null),
          new Column("last", NUMBER, w -> w.hasLast() ? w.getLast() : null),
          new Column("m2", NUMBER, w -> w.hasM2() ? w.getM2() : null),
          new Column("integral", NUMBER, w -> w.hasIntegral() ? w.getIntegral() : null),
          new Column("increase", NUMBER, w -> w.hasIncrease() ? w.getIncrease() : null),
          new Column(
              "resets",
              Schema.OPTIONAL_INT64_SCHEMA,
              w -> w.hasResets() ? count("resets", w.getResets()) : null),
          new Column(
              "uncertain_count",
              Schema.OPTIONAL_INT64_SCHEMA,
              w -> w.hasUncertainCount() ? count("uncertain_count", w.getUncertainCount()) : null),
          new Column("mean", NUMBER, w -> number(Derived.mean(w))),
          new Column("standard_deviation", NUMBER, w -> number(Derived.standardDeviation(w))),
          new Column("time_weighted_average", NUMBER, w -> number(Derived.timeWeightedAverage(w))),
          new Column("p50", NUMBER, w -> number(Derived.quantile(w, 0.5))),
          new Column("p95", NUMBER, w -> number(Derived.quantile(w, 0.95))),
          new Column("p99", NUMBER, w -> number(Derived.quantile(w, 0.99))));

  private static final Column HISTOGRAM =
      new Column(
          "histogram",
          Schema.OPTIONAL_STRING_SCHEMA,
          w -> w.hasHistogram() ? json(w.getHistogram()) : null);

  private final List<Column> columns = new ArrayList<>(COLUMNS);
  private final Schema schema;

  WindowStructs(boolean withHistogram) {
    if (withHistogram) {
      columns.add(HISTOGRAM);
    }
    SchemaBuilder builder =
        SchemaBuilder.struct()
            .name(withHistogram ? "io.weir.connect.WindowWithHistogram" : "io.weir.connect.Window")
            .version(1);
    columns.forEach(column -> builder.field(column.name(), column.schema()));
    schema = builder.build();
  }

  SchemaAndValue of(WindowKey key) {
    Struct struct =
        new Struct(KEY)
            .put("sensor_id", key.getSensorId())
            .put("window_start", new Date(key.getWindowStartMs()))
            .put("window_end", new Date(key.getWindowEndMs()));
    return new SchemaAndValue(KEY, struct);
  }

  SchemaAndValue of(WindowSummary window) {
    Struct struct = new Struct(schema);
    columns.forEach(column -> struct.put(column.name(), column.value().apply(window)));
    return new SchemaAndValue(schema, struct);
  }

  private static Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  private static long count(String name, long unsigned) {
    if (unsigned < 0) {
      throw new DataException(name + " = " + Long.toUnsignedString(unsigned) + " is above 2^63");
    }
    return unsigned;
  }

  /** The name in the proto file without its prefix; the number of a value that it does not have. */
  private static String reason(WindowSummary window) {
    CloseReason reason = window.getCloseReason();
    return reason == CloseReason.UNRECOGNIZED
        ? String.valueOf(window.getCloseReasonValue())
        : reason.name().substring(PREFIX.length());
  }

  private static String json(ExponentialHistogram histogram) {
    return "{\"scale\":%d,\"zero_count\":%s,\"positive\":%s,\"negative\":%s}"
        .formatted(
            histogram.getScale(),
            Long.toUnsignedString(histogram.getZeroCount()),
            json(histogram.getPositive()),
            json(histogram.getNegative()));
  }

  private static String json(Buckets buckets) {
    List<Long> counts = buckets.getCountsList();
    return counts.stream()
        .map(Long::toUnsignedString)
        .collect(
            Collectors.joining(",", "{\"offset\":" + buckets.getOffset() + ",\"counts\":[", "]}"));
  }
}
