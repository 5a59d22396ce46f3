package io.weir.internal.text;

import io.weir.reading.Quality;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A quality as text: a name of {@code weir.v1.Quality} with or without its prefix, or its number of
 * up to nine digits (one that is not listed is uncertain); nothing at all is good.
 */
final class QualityText {
  private static final int MAX_DIGITS = 9;

  private record Name(byte[] text, Quality quality) {
    Name(String text, Quality quality) {
      this(text.getBytes(StandardCharsets.US_ASCII), quality);
    }
  }

  private static final Name[] NAMES = {
    new Name("GOOD", Quality.GOOD),
    new Name("UNCERTAIN", Quality.UNCERTAIN),
    new Name("BAD", Quality.BAD),
    new Name("UNSPECIFIED", Quality.GOOD),
    new Name("QUALITY_GOOD", Quality.GOOD),
    new Name("QUALITY_UNCERTAIN", Quality.UNCERTAIN),
    new Name("QUALITY_BAD", Quality.BAD),
    new Name("QUALITY_UNSPECIFIED", Quality.GOOD),
  };

  private QualityText() {}

  /** The quality, or null where the text is none. */
  static Quality read(byte[] text, int from, int to) {
    if (from == to) {
      return Quality.GOOD;
    }
    for (Name name : NAMES) {
      if (Arrays.equals(name.text, 0, name.text.length, text, from, to)) {
        return name.quality;
      }
    }
    return to - from > MAX_DIGITS ? null : ofNumber(text, from, to);
  }

  private static Quality ofNumber(byte[] text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      number = number * 10 + digit;
    }
    return Quality.ofNumber(number);
  }
}
