package io.weir.cli;

import io.weir.internal.time.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Converts the texts of options that are not settings, such as {@code --for 30s}. */
final class Converters {
  private Converters() {}

  /** Registers the converters with a command and its present subcommands. */
  static void register(CommandLine command) {
    command.registerConverter(Duration.class, Converters::duration);
    command.registerConverter(Instant.class, Converters::moment);
    command.registerConverter(ZoneId.class, Converters::zone);
  }

  private static Duration duration(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          text + ": expected: a duration such as 500ms, 10s, 5m, 1h or 1d");
    }
  }

  /** A time in ISO 8601 with an offset, or a duration before now. */
  private static Instant moment(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException noDate) {
      try {
        return Instant.now().minus(DurationText.parse(text));
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new TypeConversionException(
            text
                + ": expected: a time such as 2026-11-21T12:00:00Z, or a duration before now such as 2h");
      }
    }
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          text + ": expected: a zone such as UTC, Europe/Berlin or +02:00");
    }
  }
}
