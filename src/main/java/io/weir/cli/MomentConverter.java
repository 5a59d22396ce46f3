package io.weir.cli;

import io.weir.time.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment as ISO 8601 with its offset, or how long ago it was. */
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
            text + ": expected: a time such as 2026-11-21T12:00:00Z, or how long ago, such as 2h");
      }
    }
  }
}
