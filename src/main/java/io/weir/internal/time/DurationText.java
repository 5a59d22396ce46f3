package io.weir.internal.time;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as a person writes them: a whole number and one of {@code ms s m h d}. */
public final class DurationText {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})(ms|s|m|h|d)");

  private DurationText() {}

  /**
   * @throws IllegalArgumentException if the text is of another form, or beyond 2^63 ms
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a duration: " + text);
    }
    try {
      return Duration.ofMillis(
          Math.multiplyExact(Long.parseLong(matcher.group(1)), unitMs(matcher.group(2))));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("too long: " + text, e);
    }
  }

  /** The shortest text that parses back to that many milliseconds. */
  public static String format(Duration duration) {
    long ms = duration.toMillis();
    for (String unit : new String[] {"d", "h", "m", "s"}) {
      if (ms != 0 && ms % unitMs(unit) == 0) {
        return ms / unitMs(unit) + unit;
      }
    }
    return ms == 0 ? "0s" : ms + "ms";
  }

  private static long unitMs(String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1_000;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      case "d" -> 86_400_000;
      default -> throw new IllegalArgumentException(unit);
    };
  }
}
