package io.weir.lab;

import java.time.Duration;

/**
 * What fleet to simulate. The same settings give the same readings, but for the time they start at.
 *
 * @param seed of all chance
 * @param sensors how many, from one for each gateway
 * @param readingsPerSecond of all sensors together, positive
 * @param cycle how long one round of all faults takes
 * @param clockAheadMs how far the fast clock jumps: more than is accepted
 */
public record FleetSettings(
    long seed, int sensors, int readingsPerSecond, Duration cycle, long clockAheadMs) {
  /** How far the slow clock is behind. */
  public static final long CLOCK_BEHIND_MS = 45_000;

  /** How old the old readings are. */
  public static final long OLD_MS = 600_000;

  /** Sensors that it takes to have each signal at each gateway. */
  public static final int MIN_SENSORS = GatewayRole.values().length * Signal.values().length;

  public FleetSettings {
    if (sensors < MIN_SENSORS) {
      throw new IllegalArgumentException(
          "sensors = " + sensors + ": expected: " + MIN_SENSORS + " or more");
    }
    if (readingsPerSecond < 1) {
      throw new IllegalArgumentException(
          "rate = " + readingsPerSecond + ": expected: 1 or more readings a second");
    }
  }
}
