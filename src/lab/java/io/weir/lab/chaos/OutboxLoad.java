package io.weir.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Rows for the outbox by seed: readings of sensors of all priorities, of small and large values,
 * some of them late, a few that expire, and a few rows that are no reading. One thread.
 */
final class OutboxLoad {
  private static final int SENSORS = 60;
  private static final int PRIORITIES = 3;
  private static final int MOST_ROWS = 20;
  private static final int BAD_ONE_IN = 40;
  private static final int JITTER_MS = 1_500;
  private static final int LONGEST_LATE_MS = 20_000;
  private static final int TOO_LONG = 300;
  private static final int EXPIRES_ONE_IN = 20;
  private static final int LONGEST_EXPIRY_MS = 4_000;

  private final Random random;

  /**
   * A row; null is SQL's. Of a sensor that begins with {@code bad/}, or of none, to be refused.
   *
   * @param expiresInMs after it is inserted; negative where it has expired before
   */
  record Row(
      Integer priority,
      String sensorId,
      Long timestampMs,
      Double value,
      Integer quality,
      String key,
      Integer expiresInMs) {
    private static Row bad(
        int priority, String sensorId, long timestampMs, Double value, Integer quality) {
      return new Row(priority, sensorId, timestampMs, value, quality, null, null);
    }
  }

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
        sensor % PRIORITIES,
        "outb\u00f6x/" + sensor,
        clockMs - behindMs,
        value(),
        quality,
        null,
        random.nextInt(EXPIRES_ONE_IN) > 0
            ? null
            : random.nextInt(2 * LONGEST_EXPIRY_MS) - LONGEST_EXPIRY_MS);
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
    return switch (random.nextInt(8)) {
      case 0 -> Row.bad(0, "bad/null", clockMs, null, null);
      case 1 -> Row.bad(1, "bad/nan", clockMs, Double.NaN, null);
      case 2 -> Row.bad(2, "bad/quality", clockMs, 1.0, 9);
      case 3 -> new Row(1, "bad/both", clockMs, 1.0, null, "key", null);
      case 4 -> Row.bad(1, null, clockMs, 1.0, null);
      case 5 -> Row.bad(1, "bad/" + "x".repeat(TOO_LONG), clockMs, 1.0, null);
      case 6 -> new Row(2, "bad/expired", clockMs, null, null, null, -1);
      default -> Row.bad(0, "bad/time", -1L, 1.0, null);
    };
  }
}
