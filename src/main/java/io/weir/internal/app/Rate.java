package io.weir.internal.app;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of rows for a unit of time, such as {@code 500/s}, {@code 23/m}, {@code 1000/h} or
 * {@code 33333/d}.
 *
 * @param rows at least 1
 * @param unit a second, a minute, an hour or a day
 */
public record Rate(long rows, Duration unit) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})/([smhd])");

  /**
   * @throws IllegalArgumentException if the text has another form
   */
  public static Rate parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new IllegalArgumentException("not a rate: " + text);
    }
    Duration unit =
        switch (matcher.group(2)) {
          case "s" -> Duration.ofSeconds(1);
          case "m" -> Duration.ofMinutes(1);
          case "h" -> Duration.ofHours(1);
          default -> Duration.ofDays(1);
        };
    return new Rate(Long.parseLong(matcher.group(1)), unit);
  }
}
