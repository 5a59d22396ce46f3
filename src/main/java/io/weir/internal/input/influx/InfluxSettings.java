package io.weir.internal.input.influx;

import io.weir.internal.input.SensorTemplate;
import java.util.List;
import java.util.Set;

/**
 * How line protocol is read.
 *
 * @param template of sensor ids
 * @param missingTime of lines without a timestamp
 * @param databases that SHOW DATABASES names
 */
public record InfluxSettings(
    SensorTemplate template, MissingTime missingTime, List<String> databases) {
  /** The parts of a template. */
  public static final Set<String> PARTS =
      Set.of("client", "hash", "series", "measurement", "field", "tag:", "db", "rp");

  /** What happens to a line without a timestamp. */
  public enum MissingTime {
    ARRIVAL,
    REFUSE
  }
}
