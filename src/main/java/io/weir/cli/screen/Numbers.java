package io.weir.cli.screen;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers for people. */
public final class Numbers {
  private Numbers() {}

  /** 1234567 as 1,234,567. */
  public static String grouped(double number) {
    return String.format(Locale.ROOT, "%,d", Math.round(number));
  }

  /** 1 window, 1,234 windows. */
  public static String counted(long number, String noun) {
    return grouped(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** At most five characters for usual numbers: 9,999, 12k, 1234k, 12M. */
  public static String compact(double number) {
    if (Math.abs(number) < 10_000) {
      return grouped(number);
    }
    return Math.abs(number) < 10_000_000
        ? Math.round(number / 1000) + "k"
        : Math.round(number / 1_000_000) + "M";
  }

  /** One digit after the point. */
  public static String tenths(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  /** Seconds, rounded up, so that a future time is never 0 s away. */
  public static String seconds(long ms) {
    return Math.max(1, (ms + 999) / 1000) + " s";
  }

  /** Minutes and seconds, 01:07, or hours before them. */
  public static String clock(long ms) {
    long seconds = ms / 1000;
    return seconds < 3600
        ? String.format(Locale.ROOT, "%02d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** In the largest unit in which it is an integer, with the unit as a word. */
  public static String spoken(Duration duration) {
    long ms = duration.toMillis();
    if (ms % 60_000 == 0) {
      return ms / 60_000 + " min";
    }
    return ms % 1000 == 0 ? ms / 1000 + " s" : ms + " ms";
  }
}
