package io.weir.reading;

import java.util.Objects;

/**
 * One reading of a sensor.
 *
 * @param sensorId id of the sensor, 1 to 256 bytes of UTF-8
 * @param timestampMs event time by the sensor's clock: positive milliseconds since the Unix epoch
 * @param value a finite value
 * @param quality the quality that the sensor reports
 */
public record Reading(String sensorId, long timestampMs, double value, Quality quality) {
  public Reading {
    Objects.requireNonNull(sensorId, "sensorId");
    Objects.requireNonNull(quality, "quality");
  }

  /** A reading of quality {@link Quality#GOOD}. */
  public Reading(String sensorId, long timestampMs, double value) {
    this(sensorId, timestampMs, value, Quality.GOOD);
  }
}
