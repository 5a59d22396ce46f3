package io.weir.connect;

import io.weir.summary.Derived;
import io.weir.v1.CloseReason;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.ExponentialHistogram.Buckets;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.util.Date;
import java.util.List;
import java.util.OptionalDouble;
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

  private static final Schema KEY =
      SchemaBuilder.struct()
          .name("io.weir.connect.WindowKey")
          .version(1)
          .field("sensor_id", Schema.STRING_SCHEMA)
          .field("window_start", Timestamp.SCHEMA)
          .field("window_end", Timestamp.SCHEMA)
          .build();

  private final Schema schema;
  private final boolean withHistogram;

  WindowStructs(boolean withHistogram) {
    this.withHistogram = withHistogram;
    this.schema = schema(withHistogram);
  }

  private static Schema schema(boolean withHistogram) {
    Schema time = Timestamp.builder().optional().build();
    SchemaBuilder schema =
        SchemaBuilder.struct()
            .name(withHistogram ? "io.weir.connect.WindowWithHistogram" : "io.weir.connect.Window")
            .version(1)
            .field("sensor_id", Schema.STRING_SCHEMA)
            .field("window_start", Timestamp.SCHEMA)
            .field("window_end", Timestamp.SCHEMA)
            .field("count", Schema.INT64_SCHEMA)
            .field("sum", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("min", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("max", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("bad_count", Schema.INT64_SCHEMA)
            .field("revision", Schema.INT64_SCHEMA)
            .field("close_reason", Schema.STRING_SCHEMA)
            .field("is_final", Schema.BOOLEAN_SCHEMA)
            .field("first_timestamp", time)
            .field("first", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("last_timestamp", time)
            .field("last", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("m2", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("integral", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("increase", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("resets", Schema.OPTIONAL_INT64_SCHEMA)
            .field("uncertain_count", Schema.OPTIONAL_INT64_SCHEMA)
            .field("mean", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("standard_deviation", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("time_weighted_average", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("p50", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("p95", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("p99", Schema.OPTIONAL_FLOAT64_SCHEMA);
    if (withHistogram) {
      schema.field("histogram", Schema.OPTIONAL_STRING_SCHEMA);
    }
    return schema.build();
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
    boolean some = window.getCount() != 0;
    Struct struct =
        new Struct(schema)
            .put("sensor_id", window.getSensorId())
            .put("window_start", new Date(window.getWindowStartMs()))
            .put("window_end", new Date(window.getWindowEndMs()))
            .put("count", count("count", window.getCount()))
            .put("sum", some ? window.getSum() : null)
            .put("min", some ? window.getMin() : null)
            .put("max", some ? window.getMax() : null)
            .put("bad_count", count("bad_count", window.getBadCount()))
            .put("revision", Integer.toUnsignedLong(window.getRevision()))
            .put("close_reason", reason(window))
            .put("is_final", window.getIsFinal())
            .put("mean", number(Derived.mean(window)))
            .put("standard_deviation", number(Derived.standardDeviation(window)))
            .put("time_weighted_average", number(Derived.timeWeightedAverage(window)))
            .put("p50", number(Derived.quantile(window, 0.5)))
            .put("p95", number(Derived.quantile(window, 0.95)))
            .put("p99", number(Derived.quantile(window, 0.99)));
    putStatistics(window, struct);
    return new SchemaAndValue(schema, struct);
  }

  private void putStatistics(WindowSummary window, Struct struct) {
    if (window.hasFirstTimestampMs()) {
      struct.put("first_timestamp", new Date(window.getFirstTimestampMs()));
    }
    if (window.hasFirst()) {
      struct.put("first", window.getFirst());
    }
    if (window.hasLastTimestampMs()) {
      struct.put("last_timestamp", new Date(window.getLastTimestampMs()));
    }
    if (window.hasLast()) {
      struct.put("last", window.getLast());
    }
    if (window.hasM2()) {
      struct.put("m2", window.getM2());
    }
    if (window.hasIntegral()) {
      struct.put("integral", window.getIntegral());
    }
    if (window.hasIncrease()) {
      struct.put("increase", window.getIncrease());
    }
    if (window.hasResets()) {
      struct.put("resets", count("resets", window.getResets()));
    }
    if (window.hasUncertainCount()) {
      struct.put("uncertain_count", count("uncertain_count", window.getUncertainCount()));
    }
    if (withHistogram && window.hasHistogram()) {
      struct.put("histogram", json(window.getHistogram()));
    }
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
