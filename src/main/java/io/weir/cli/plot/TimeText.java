package io.weir.cli.plot;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats times for pictures: to the second, with their offset. */
final class TimeText {
  private static final DateTimeFormatter LONG =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ssXXX", Locale.ROOT);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY_AND_CLOCK =
      DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);
  private static final long DAY_MS = 86_400_000;

  private final ZoneId zone;

  TimeText(ZoneId zone) {
    this.zone = zone.equals(ZoneOffset.UTC) ? ZoneOffset.UTC : zone;
  }

  String full(long ms) {
    return LONG.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  /** The shortest form that is clear in a picture of that duration. */
  String tick(long ms, long spanMs) {
    DateTimeFormatter form = spanMs <= DAY_MS ? CLOCK : DAY_AND_CLOCK;
    return form.format(Instant.ofEpochMilli(ms).atZone(zone));
  }
}
