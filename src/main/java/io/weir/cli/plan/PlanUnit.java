package io.weir.cli.plan;

import java.util.Locale;

/** The units of a plan's numbers. */
public enum PlanUnit {
  COUNT,
  PER_SECOND,
  PROCESSORS,
  BYTES,
  BYTES_PER_SECOND,
  SECONDS,
  HOURS;

  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  /** Formats a number; bytes in powers of 1,000. */
  public String write(double value) {
    return switch (this) {
      case COUNT -> number(value, 0);
      case PER_SECOND -> number(value, value < 10 ? 1 : 0) + "/s";
      case PROCESSORS -> number(value, 2);
      case BYTES -> bytes(value);
      case BYTES_PER_SECOND -> bytes(value) + "/s";
      case SECONDS -> number(value, 1) + " s";
      case HOURS -> number(value, 1) + " h";
    };
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  private static String bytes(double value) {
    int unit = 0;
    double rest = value;
    while (rest >= 999.5 && unit < BYTE_UNITS.length - 1) {
      rest /= 1000;
      unit++;
    }
    return number(rest, unit == 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2) + " " + BYTE_UNITS[unit];
  }
}
