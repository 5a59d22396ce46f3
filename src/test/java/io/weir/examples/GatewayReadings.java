package io.weir.examples;

import io.weir.lab.oracle.NaiveWindows;
import io.weir.reading.Quality;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Random readings of one gateway's sensors as JSON lines, and the windows they make. */
final class GatewayReadings {
  static final long WINDOW_MS = 1_000;

  /** What is no reading, each for another reason. */
  static final String BAD_LINES =
      """
      sensor_id,timestamp_ms,value
      []
      {}
      {"sensor_id":"","timestamp_ms":1,"value":1}
      {"sensor_id":7,"timestamp_ms":1,"value":1}
      {"sensor_id":"\\ud800","timestamp_ms":1,"value":1}
      {"sensor_id":"%s","timestamp_ms":1,"value":1}
      {"sensor_id":"a","timestamp_ms":0,"value":1}
      {"sensor_id":"a","timestamp_ms":1.5,"value":1}
      {"sensor_id":"a","timestamp_ms":1e400,"value":1}
      {"sensor_id":"a","timestamp_ms":1,"value":"1"}
      {"sensor_id":"a","timestamp_ms":1,"value":1e400}
      {"sensor_id":"a","timestamp_ms":1,"value":1,"quality":99}
      """
          .formatted("\u00fc".repeat(129));

  private static final long START_MS = 1_700_000_000_000L;
  private static final int SPAN_MS = 20_000;

  private final Random random;
  private final List<String> sensors = new ArrayList<>();
  private final NaiveWindows windows = new NaiveWindows(WINDOW_MS);

  GatewayReadings(String gatewayId, long seed) {
    random = new Random(seed);
    for (String name : List.of("cam", "Außen", "温度", "🌡", "a b,c", "\u0001\\\"")) {
      for (int i = 0; i < 5; i++) {
        sensors.add(gatewayId + "/" + name + "-" + i);
      }
    }
  }

  /** So many more, in no order of time. */
  String next(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String sensor = sensors.get(random.nextInt(sensors.size()));
      long timestampMs = START_MS + random.nextInt(SPAN_MS);
      double value = random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6);
      Quality quality = Quality.ofNumber(random.nextInt(4));
      windows.add(sensor, timestampMs, value, quality);
      lines.append(
          String.format(
              Locale.ROOT,
              "{\"sensor_id\":%s,\"timestamp_ms\":%d,\"value\":%s,\"quality\":%d}%n",
              quoted(sensor),
              timestampMs,
              value,
              quality.number()));
    }
    return lines.toString();
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\u0001", "\\u0001")
        + '"';
  }

  /** What has come of all of them. */
  NaiveWindows windows() {
    return windows;
  }
}
