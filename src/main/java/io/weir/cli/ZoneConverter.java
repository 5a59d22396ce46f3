package io.weir.cli;

import java.time.DateTimeException;
import java.time.ZoneId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a time zone. */
public final class ZoneConverter implements ITypeConverter<ZoneId> {
  @Override
  public ZoneId convert(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          text + ": expected: a zone such as UTC, Europe/Berlin or +02:00");
    }
  }
}
