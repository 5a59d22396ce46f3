package io.weir.lab.bench;

import io.weir.reading.Reading;
import java.util.SplittableRandom;

/** What a gateway has to publish, made before anything is measured: rounds over its sensors. */
final class GatewayReadings {
  private static final int SENSORS = 10_000;
  private static final int ROUNDS = 20;
  private static final long INTERVAL_MS = 100;

  private final Reading[] readings = new Reading[SENSORS * ROUNDS];

  GatewayReadings(long startMs) {
    SplittableRandom random = new SplittableRandom(42);
    String[] ids = new String[SENSORS];
    for (int i = 0; i < SENSORS; i++) {
      ids[i] = String.format("sensor-%07d", i);
    }
    for (int i = 0; i < readings.length; i++) {
      double value = (2000 + random.nextInt(500)) / 100.0;
      readings[i] = new Reading(ids[i % SENSORS], startMs + i / SENSORS * INTERVAL_MS, value);
    }
  }

  /** The reading of a number; after the last the first comes again. */
  Reading get(long number) {
    return readings[(int) (number % readings.length)];
  }
}
