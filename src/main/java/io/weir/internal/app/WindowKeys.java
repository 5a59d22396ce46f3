package io.weir.internal.app;

import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.durationOrNone;
import static io.weir.internal.app.ValueType.durations;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.prefixes;
import static io.weir.internal.app.ValueType.statisticSets;

import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.aggregate.StatisticSet;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of windows, statistics, rollups and hopping windows: a part of the catalogue {@link
 * Keys}.
 */
public final class WindowKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<Duration> WINDOW_SIZE =
      KEYS.of(
          "window.size",
          duration("1ms"),
          "10s",
          "length of a window; windows are aligned to the epoch");
  public static final Key<Duration> WINDOW_GRACE =
      KEYS.of(
          "window.grace",
          duration("0s"),
          "5s",
          "how far the event time of a sensor must pass the end of a window before the window"
              + " closes");
  public static final Key<Duration> ALLOWED_LATENESS =
      KEYS.of(
          "allowed.lateness",
          duration("0s"),
          "0s",
          "how long after its close, in event time of the sensor, a window accepts late readings");
  public static final Key<Duration> IDLE_TIMEOUT =
      KEYS.of(
          "idle.timeout",
          duration("1ms"),
          "30s",
          "inactivity of a sensor after which its windows that have ended are emitted");
  public static final Key<Duration> MAX_FUTURE_SKEW =
      KEYS.of(
          "max.future.skew",
          duration("0s"),
          "5m",
          "how far the time of a reading may be ahead of its append time");
  public static final Key<Duration> SENSOR_TTL =
      KEYS.of(
          "sensor.ttl",
          duration("1ms"),
          "1d",
          "inactivity after which the state of a sensor expires; its close time is retained");
  public static final Key<Duration> GATEWAY_TTL =
      KEYS.of(
          "gateway.ttl",
          duration("1ms"),
          "7d",
          "inactivity after which the state of a gateway expires; its highest boot id and"
              + " sequence are retained");
  public static final Key<Duration> MARK_TTL =
      KEYS.of(
          "mark.ttl",
          duration("1ms"),
          "30d",
          "how long the close time of an expired sensor and the last sequence of an expired"
              + " gateway are retained");

  public static final Key<Set<StatisticSet>> STATISTICS =
      KEYS.of(
          "statistics",
          statisticSets(),
          "none",
          "statistics in addition to count, sum, min and max: first_last, variance, histogram,"
              + " quality, integral, counter, sum_rest, separated by commas");
  public static final Key<List<String>> STATISTICS_FIRST_LAST = sensorsWith("first_last");
  public static final Key<List<String>> STATISTICS_VARIANCE = sensorsWith("variance");
  public static final Key<List<String>> STATISTICS_HISTOGRAM = sensorsWith("histogram");
  public static final Key<List<String>> STATISTICS_QUALITY = sensorsWith("quality");
  public static final Key<List<String>> STATISTICS_INTEGRAL = sensorsWith("integral");
  public static final Key<List<String>> STATISTICS_COUNTER = sensorsWith("counter");
  public static final Key<List<String>> STATISTICS_SUM_REST = sensorsWith("sum_rest");
  public static final Key<Integer> SAMPLES_MAX =
      KEYS.of(
          "samples.max",
          integer(1, 1_000_000),
          Integer.toString(StatisticsPlan.DEFAULT_MOST_SAMPLES),
          "maximum number of readings of a window kept for integral and counter, 16 bytes each;"
              + " a window with more has neither statistic");
  public static final Key<Integer> SAMPLES_PARTITION_MAX =
      KEYS.of(
          "samples.partition.max",
          integer(1, 1_000_000_000),
          Integer.toString(StatisticsPlan.DEFAULT_MOST_OF_PARTITION),
          "maximum number of these readings in a partition; above half of it, a gateway "
              + "that has an eighth keeps no more; windows without room have neither statistic");

  public static final Key<List<Duration>> ROLLUPS =
      KEYS.of(
          "rollups",
          durations(),
          "none",
          "longer windows computed from the windows, such as 1m,1h,1d, on a topic of their own;"
              + " each is a larger multiple of the one before, the first of weir.window.size");

  public static final Key<Duration> HOPPING =
      KEYS.of(
          "hopping",
          durationOrNone("1ms"),
          "none",
          "length of hopping windows, such as 5m: one summary of the last 5 minutes at the end"
              + " of each window, on a topic of their own; 2 to 60 times weir.window.size");
  public static final Key<List<String>> HOPPING_SENSORS =
      KEYS.unset(
          "hopping.sensors",
          prefixes(),
          "sensor id prefixes for which hopping windows are computed; default: all sensors");

  static final List<Key<?>> ALL = KEYS.all();

  private WindowKeys() {}

  private static Key<List<String>> sensorsWith(String set) {
    return KEYS.unset(
        "statistics." + set,
        prefixes(),
        "sensor id prefixes for which statistic " + set + " is computed; default: all sensors");
  }
}
