package io.weir.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** What a message or a record holds, if nothing says it. */
public enum ValueForm {
  JSON,
  NUMBER,
  LINE,
  CSV;

  private static final int MOST_NUMBER = 64;
  private static final Pattern PLAIN =
      Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,4})?");

  /** By the first byte that is no space; JSON may be behind the frame of a schema registry. */
  public static ValueForm of(byte[] value) {
    int first = 0;
    while (first < value.length && value[first] > 0 && value[first] <= ' ') {
      first++;
    }
    if (first < value.length && (value[first] == '{' || value[first] == '[' || value[first] == 0)) {
      return JSON;
    }
    if (!Double.isNaN(number(value))) {
      return NUMBER;
    }
    // Line protocol has a field, and so an equals sign, in each line.
    return contains(value, '=') ? LINE : contains(value, ',') ? CSV : NUMBER;
  }

  private static boolean contains(byte[] value, char sign) {
    for (byte each : value) {
      if (each == sign) {
        return true;
      }
    }
    return false;
  }

  /** The number, with 1 and 0 for true and false; NaN if it is none. */
  public static double number(byte[] value) {
    if (value.length > MOST_NUMBER) {
      return Double.NaN;
    }
    String text = new String(value, StandardCharsets.UTF_8).strip();
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> 1;
      case "false" -> 0;
      default -> PLAIN.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    };
  }
}
