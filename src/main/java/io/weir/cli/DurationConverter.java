package io.weir.cli;

import io.weir.time.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts durations of options that are not settings, such as {@code --for 30s}. */
public final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          text + ": expected: a duration such as 500ms, 10s, 5m, 1h or 1d");
    }
  }
}
