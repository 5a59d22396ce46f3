package io.weir.dev.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Rows for the outbox by seed: readings of sensors of all priorities, of small and large values,
 * some of them late, and a few rows that are no reading. One thread.
 */
final class OutboxLoad {
  private static final int SENSORS = 60;
  private static final int PRIORITIES = 3;
  private static final int MOST_ROWS = 20;
  private static final int BAD_ONE_IN = 40;
  private static final int JITTER_MS = 1_500;
  private static final int LONGEST_LATE_MS = 20_000;
  private static final int TOO_LONG = 300;

  private final Random random;

  /** A row; null is SQL's. Of a sensor that begins with {@code bad/}, or of none, to be refused. */
  record Row(
      Integer priority,
      String sensorId,
      Long timestampMs,
      Double value,
      Integer quality,
      String key) {}

  OutboxLoad(Random random) {
    this.random = random;
  }

  /** Rows of one statement. */
  List<Row> next(long clockMs) {
    List<Row> rows = new ArrayList<>();
    for (int left = 1 + random.nextInt(MOST_ROWS); left > 0; left--) {
      rows.add(random.nextInt(BAD_ONE_IN) == 0 ? bad(clockMs) : reading(clockMs));
    }
    return rows;
  }

  private Row reading(long clockMs) {
    int sensor = random.nextInt(SENSORS);
    long behindMs = random.nextInt(random.nextInt(100) == 0 ? LONGEST_LATE_MS : JITTER_MS);
    Integer quality = random.nextInt(4) > 0 ? null : 1 + random.nextInt(3);
    return new Row(
        sensor % PRIORITIES, "outb\u00f6x/" + sensor, clockMs - behindMs, value(), quality, null);
  }

  private double value() {
    return switch (random.nextInt(20)) {
      case 0 -> -0.0;
      case 1 -> random.nextGaussian() * 1e9;
      case 2 -> random.nextGaussian() * 1e-6;
      default -> random.nextGaussian() * 1_000;
    };
  }

  private Row bad(long clockMs) {
    return switch (random.nextInt(7)) {
      case 0 -> new Row(0, "bad/null", clockMs, null, null, null);
      case 1 -> new Row(1, "bad/nan", clockMs, Double.NaN, null, null);
      case 2 -> new Row(2, "bad/quality", clockMs, 1.0, 9, null);
      case 3 -> new Row(1, "bad/both", clockMs, 1.0, null, "key");
      case 4 -> new Row(1, null, clockMs, 1.0, null, null);
      case 5 -> new Row(1, "bad/" + "x".repeat(TOO_LONG), clockMs, 1.0, null, null);
      default -> new Row(0, "bad/time", -1L, 1.0, null, null);
    };
  }
}
