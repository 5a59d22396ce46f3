package io.weir.reading;

import java.util.Objects;

/**
 * What one sensor said once.
 *
 * @param sensorId who; 1 to 256 bytes of UTF-8 are accepted
 * @param timestampMs when, by the sensor's own clock: milliseconds since the Unix epoch; only
 *     positive ones are accepted
 * @param value what; only finite ones are accepted
 * @param quality how far the sensor trusts it
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
