package io.weir.cli.plan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses hand-written quantities: {@code 500k}, {@code 2M/s}, {@code 4Gi}. */
public final class Quantity {
  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)(Ki|Mi|Gi|Ti|k|M|G|T)?(/s|/m|/h)?");

  private Quantity() {}

  /**
   * Parses a number; with the suffix {@code /m} or {@code /h} it is converted to a rate per second.
   *
   * @throws IllegalArgumentException if it is invalid or 0
   */
  public static double parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || Double.parseDouble(matcher.group(1)) == 0) {
      throw new IllegalArgumentException("not a quantity: " + text);
    }
    String factor = matcher.group(2) == null ? "" : matcher.group(2);
    String time = matcher.group(3) == null ? "" : matcher.group(3);
    return Double.parseDouble(matcher.group(1)) * factor(factor) / seconds(time);
  }

  private static double factor(String unit) {
    return switch (unit) {
      case "k" -> 1e3;
      case "M" -> 1e6;
      case "G" -> 1e9;
      case "T" -> 1e12;
      case "Ki" -> 1L << 10;
      case "Mi" -> 1L << 20;
      case "Gi" -> 1L << 30;
      case "Ti" -> 1L << 40;
      default -> 1;
    };
  }

  private static double seconds(String time) {
    return switch (time) {
      case "/m" -> 60;
      case "/h" -> 3600;
      default -> 1;
    };
  }
}
