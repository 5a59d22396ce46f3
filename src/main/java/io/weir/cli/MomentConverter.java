package io.weir.cli;

import io.weir.time.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a time in ISO 8601 with an offset, or a duration before now. */
final class MomentConverter implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
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
}
