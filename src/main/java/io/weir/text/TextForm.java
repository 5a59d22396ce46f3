package io.weir.text;

import java.util.Objects;

/**
 * How the readings of an input are written, and what line protocol leaves open.
 *
 * @param unit of the timestamps in line protocol; CSV and JSON lines have milliseconds
 * @param sensorIds how a field of line protocol is named as a sensor
 */
public record TextForm(TextFormat format, TimestampUnit unit, SensorIdTemplate sensorIds) {
  public TextForm {
    Objects.requireNonNull(format);
    Objects.requireNonNull(unit);
    Objects.requireNonNull(sensorIds);
  }

  /** A format, with nanoseconds and the sensor ids that line protocol has by default. */
  public static TextForm of(TextFormat format) {
    return new TextForm(format, TimestampUnit.NANOSECONDS, SensorIdTemplate.DEFAULT);
  }
}
