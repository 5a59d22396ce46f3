package io.weir.internal.input.influx;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.internal.text.DecimalText;
import io.weir.internal.text.IntegerText;
import java.util.Set;

/** The value of a field as a number; a boolean is 1 or 0. Not thread-safe. */
final class FieldValue {
  private static final Set<String> TRUE = Set.of("t", "T", "true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("f", "F", "false", "False", "FALSE");
  private static final int LONGEST_WORD = 5;

  private final DecimalText decimal = new DecimalText();
  private final IntegerText integer = new IntegerText();
  private double value;

  /** Reads a slice that is no string; false if it is no number and no boolean. */
  boolean read(byte[] text, int from, int to) {
    byte last = text[to - 1];
    if (last == 'i') {
      boolean read = integer.read(text, from, to - 1);
      value = integer.value();
      return read;
    }
    if (last == 'u') {
      return readUnsigned(new String(text, from, to - 1 - from, US_ASCII));
    }
    if (decimal.read(text, from, to)) {
      value = decimal.value();
      return true;
    }
    String word = to - from > LONGEST_WORD ? "" : new String(text, from, to - from, US_ASCII);
    value = TRUE.contains(word) ? 1 : 0;
    return TRUE.contains(word) || FALSE.contains(word);
  }

  private boolean readUnsigned(String text) {
    try {
      long bits = Long.parseUnsignedLong(text);
      // Of a number beyond 2^63, half, rounded to odd, is rounded once as the whole would be.
      value = bits >= 0 ? bits : 2.0 * (bits >>> 1 | bits & 1);
      return text.charAt(0) != '+';
    } catch (NumberFormatException e) {
      return false;
    }
  }

  double value() {
    return value;
  }
}
