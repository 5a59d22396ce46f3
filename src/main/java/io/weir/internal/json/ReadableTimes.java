package io.weir.internal.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Formats milliseconds since the epoch in ISO 8601 with the zone's offset. */
public record ReadableTimes(ZoneId zone) {
  public ReadableTimes {
    zone = zone.normalized() instanceof ZoneOffset offset ? offset : zone;
  }

  /** The time as text; the number if it is out of the calendar's range. */
  public String text(long ms) {
    try {
      return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(Instant.ofEpochMilli(ms).atZone(zone));
    } catch (DateTimeException e) {
      return Long.toString(ms);
    }
  }
}
