package io.weir.lab.bench;

import io.weir.topic.SensorPartition;
import java.time.Duration;

/**
 * A fleet that sends at its own pace: each sensor once a period, all of them spread evenly over it,
 * and each at a gateway.
 *
 * @param warmUp of which nothing is measured
 * @param duration of what is measured
 * @param gateways each with a publisher of its own and an equal share of the sensors
 * @param flushInterval of the gateways
 * @param hotPerSecond readings a second of one sensor beside the fleet, at a gateway of its own; 0
 *     for none
 * @param form of the gateways' batches: in columns they are Weir's publishers
 */
public record Fleet(
    int sensors,
    Duration period,
    Duration warmUp,
    Duration duration,
    int gateways,
    Duration flushInterval,
    long hotPerSecond,
    LoadForm form) {
  /** The sensor beside the fleet. */
  static final String HOT_ID = "hot-1";

  /** 20,000 sensors once a second, over a minute. */
  public static final Fleet DEFAULT =
      new Fleet(
          20_000,
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          1,
          Duration.ofMillis(20));

  /** A fleet with nothing beside it, of Weir's own publishers. */
  public Fleet(
      int sensors,
      Duration period,
      Duration warmUp,
      Duration duration,
      int gateways,
      Duration flushInterval) {
    this(sensors, period, warmUp, duration, gateways, flushInterval, 0, LoadForm.COLUMNAR);
  }

  public Fleet {
    if (sensors < 1 || gateways < 1 || gateways > sensors) {
      throw new IllegalArgumentException(
          "expected: 1 sensor or more, and 1 gateway up to as many as sensors, not "
              + sensors
              + " and "
              + gateways);
    }
    if (hotPerSecond < 0) {
      throw new IllegalArgumentException("expected: a rate from 0 on, not " + hotPerSecond);
    }
    if (period.toMillis() < 1 || warmUp.compareTo(period) < 0 || duration.compareTo(period) < 0) {
      throw new IllegalArgumentException(
          "expected: a period from 1ms up to the duration and the warm-up, "
              + warmUp.toSeconds()
              + " s, not "
              + period.toMillis()
              + " ms with a duration of "
              + duration.toMillis()
              + " ms");
    }
  }

  /** How often each sensor sends before anything is measured. */
  private long warmUpRounds() {
    return warmUp.toMillis() / period.toMillis();
  }

  /** How often each sensor sends. */
  long rounds() {
    return warmUpRounds() + duration.toMillis() / period.toMillis();
  }

  long readings() {
    return rounds() * sensors + hotReadings();
  }

  long warmUpReadings() {
    return warmUpRounds() * sensors + hotPerSecond * warmUp.toMillis() / 1000;
  }

  /** Readings of the sensor beside the fleet, in warm-up and measured time together. */
  long hotReadings() {
    return hotPerSecond * warmUp.plus(duration).toMillis() / 1000;
  }

  /** The same with another sensor beside it. */
  public Fleet beside(long perSecond) {
    return new Fleet(sensors, period, warmUp, duration, gateways, flushInterval, perSecond, form);
  }

  /** The same from gateways that write so. */
  public Fleet in(LoadForm other) {
    return new Fleet(
        sensors, period, warmUp, duration, gateways, flushInterval, hotPerSecond, other);
  }

  double perSecond() {
    return sensors * 1000.0 / period.toMillis();
  }

  /** When a sensor sends in a round from 0 on: milliseconds after the fleet's start. */
  long momentMs(int sensor, long round) {
    return round * period.toMillis() + sensor * period.toMillis() / sensors;
  }

  /** The first moment from a given one on at which a sensor sends. */
  long nextMomentMs(int sensor, long fromMs) {
    long first = momentMs(sensor, 0);
    long periodMs = period.toMillis();
    return first + Math.max(0, -Math.floorDiv(first - fromMs, periodMs)) * periodMs;
  }

  static String idOf(int sensor) {
    return "sensor-" + sensor;
  }

  /** Whether a sensor is of the fleet, and not on the partition of the one beside it. */
  boolean isNeighbour(String id) {
    return !id.equals(HOT_ID)
        && (hotPerSecond == 0 || SensorPartition.of(id) != SensorPartition.of(HOT_ID));
  }

  static int sensorOf(String id) {
    return Integer.parseInt(id.substring("sensor-".length()));
  }
}
