package io.weir.internal.text;

import io.weir.internal.text.mapping.Mapping;
import java.util.Objects;
import java.util.Optional;

/**
 * How the readings of an input are written, and what line protocol leaves open.
 *
 * @param unit of the timestamps in line protocol; CSV and JSON lines have milliseconds
 * @param sensorIds how a field of line protocol is named as a sensor
 * @param mapping how CSV or JSON is read that is not in the plain form
 */
public record TextForm(
    TextFormat format, TimestampUnit unit, SensorIdTemplate sensorIds, Optional<Mapping> mapping) {
  public TextForm {
    Objects.requireNonNull(format);
    Objects.requireNonNull(unit);
    Objects.requireNonNull(sensorIds);
    Objects.requireNonNull(mapping);
  }

  /** The plain form of each format. */
  public TextForm(TextFormat format, TimestampUnit unit, SensorIdTemplate sensorIds) {
    this(format, unit, sensorIds, Optional.empty());
  }

  /** Line protocol, with timestamps of a unit by its symbol and the default sensor ids. */
  public static TextForm lines(String unit) {
    for (TimestampUnit known : TimestampUnit.values()) {
      if (known.symbol().equals(unit)) {
        return new TextForm(TextFormat.LINE_PROTOCOL, known, SensorIdTemplate.DEFAULT);
      }
    }
    throw new IllegalArgumentException(unit + ": no such unit");
  }

  /** CSV or JSON of another program, read by a mapping. */
  public static TextForm of(TextFormat format, Mapping mapping) {
    return new TextForm(
        format, TimestampUnit.NANOSECONDS, SensorIdTemplate.DEFAULT, Optional.of(mapping));
  }

  /** A format, with nanoseconds and the sensor ids that line protocol has by default. */
  public static TextForm of(TextFormat format) {
    return new TextForm(format, TimestampUnit.NANOSECONDS, SensorIdTemplate.DEFAULT);
  }
}
