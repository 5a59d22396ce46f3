package io.weir.lab.chaos;

import io.weir.lab.SeededChance;
import io.weir.reading.Quality;
import io.weir.reading.Reading;

/**
 * A gateway's sensors, which send in turn: values of all magnitudes and both signs, some of them
 * bad, and now and then one that is late. What is said depends on the seed and the time alone.
 * Stateless.
 */
record SensorLoad(int gateway, int sensors, SeededChance chance) {
  private static final int ONE_LATE_IN = 400;
  private static final int LONGEST_LATE_MS = 20_000;
  private static final int JITTER_MS = 400;
  private static final int MAGNITUDES = 12;

  /**
   * The reading of a number.
   *
   * @param number of the reading, counted from 0 over all sensors
   * @param clockMs the gateway's clock, milliseconds since the Unix epoch
   */
  Reading reading(long number, long clockMs) {
    long bits = chance.bits(number);
    int sensor = (int) Long.remainderUnsigned(number, sensors);
    long behindMs = Long.remainderUnsigned(bits, JITTER_MS);
    if (Long.remainderUnsigned(bits >>> 9, ONE_LATE_IN) == 0) {
      behindMs += Long.remainderUnsigned(bits >>> 20, LONGEST_LATE_MS);
    }
    return new Reading(
        "g" + gateway + "/f\u00fchler-" + sensor, clockMs - behindMs, value(number), quality(bits));
  }

  /** Whether the reading of a number is one of an odd sensor's. */
  boolean isOddSensor(long number) {
    return Long.remainderUnsigned(number, sensors) % 2 == 1;
  }

  private double value(long number) {
    double magnitude = Math.pow(10, chance.below(MAGNITUDES, ~number) - MAGNITUDES / 2.0);
    return chance.signed(number) * magnitude;
  }

  private static Quality quality(long bits) {
    return switch ((int) Long.remainderUnsigned(bits >>> 40, 50)) {
      case 0 -> Quality.BAD;
      case 1 -> Quality.UNCERTAIN;
      default -> Quality.GOOD;
    };
  }
}
