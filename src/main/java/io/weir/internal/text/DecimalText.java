package io.weir.internal.text;

import java.nio.charset.StandardCharsets;

/**
 * A value as text: {@code [+-]?(D+(.D*)?|.D+)([eE][+-]?D+)?} with D an ASCII digit, or {@code
 * [+-]?(nan|inf|infinity)} in any case. Java's own grammar is wider (blanks around it, {@code 1d},
 * hexadecimal) and is never asked whether something is a number. Holds the last value read, rounded
 * half even.
 */
public final class DecimalText {
  /** The powers of ten that a double holds exactly. */
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final long MAX_EXACT_INTEGER = 1L << 53;
  private static final long MAX_MANTISSA = (Long.MAX_VALUE - 9) / 10;

  /** Beyond the digits of any line, so that a fraction's length never brings it back into range. */
  private static final int MAX_EXPONENT = 100_000_000;

  private double value;

  // Where the parts of the number are, left behind by the scan.
  private long mantissa;
  private boolean mantissaExact;
  private int at;

  /** Reads the slice; false where it is no number, and then there is no value. */
  public boolean read(byte[] text, int from, int to) {
    boolean negative = from < to && text[from] == '-';
    int begin = negative || (from < to && text[from] == '+') ? from + 1 : from;
    mantissa = 0;
    mantissaExact = true;
    at = begin;
    int whole = digits(text, to);
    int fraction = 0;
    if (at < to && text[at] == '.') {
      at++;
      fraction = digits(text, to);
    }
    if (whole + fraction == 0) {
      return readWord(text, begin, to, negative);
    }
    int exponent = 0;
    if (at < to && (text[at] | 0x20) == 'e') {
      at++;
      boolean negativeExponent = at < to && text[at] == '-';
      if (negativeExponent || (at < to && text[at] == '+')) {
        at++;
      }
      int first = at;
      exponent = exponentDigits(text, to);
      if (at == first) {
        return false;
      }
      exponent = negativeExponent ? -exponent : exponent;
    }
    if (at != to) {
      return false;
    }
    value = convert(text, from, to, negative, exponent - fraction);
    return true;
  }

  /** Steps over digits, takes them into the mantissa and counts them. */
  private int digits(byte[] text, int to) {
    int first = at;
    for (; at < to && isDigit(text[at]); at++) {
      if (mantissa <= MAX_MANTISSA) {
        mantissa = mantissa * 10 + (text[at] - '0');
      } else {
        mantissaExact = false;
      }
    }
    return at - first;
  }

  private int exponentDigits(byte[] text, int to) {
    int exponent = 0;
    for (; at < to && isDigit(text[at]); at++) {
      exponent = Math.min(MAX_EXPONENT, exponent * 10 + (text[at] - '0'));
    }
    return exponent;
  }

  /**
   * An integer up to 2^53 times or over a power of ten up to 10^22 is one operation on two exact
   * doubles, and so rounded once (W. Clinger, How to Read Floating Point Numbers Accurately). What
   * is larger goes to the library.
   */
  private double convert(byte[] text, int from, int to, boolean negative, int exponent) {
    if (mantissaExact && mantissa <= MAX_EXACT_INTEGER && Math.abs(exponent) < POWERS.length) {
      double magnitude = exponent < 0 ? mantissa / POWERS[-exponent] : mantissa * POWERS[exponent];
      return negative ? -magnitude : magnitude;
    }
    return Double.parseDouble(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
  }

  private boolean readWord(byte[] text, int from, int to, boolean negative) {
    if (isWord("nan", text, from, to)) {
      value = Double.NaN;
      return true;
    }
    if (isWord("inf", text, from, to) || isWord("infinity", text, from, to)) {
      value = negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      return true;
    }
    return false;
  }

  private static boolean isWord(String lowerCase, byte[] text, int from, int to) {
    if (to - from != lowerCase.length()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if ((text[i] | 0x20) != lowerCase.charAt(i - from)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** NaN or infinite for the words, infinite for what overflows. */
  public double value() {
    return value;
  }
}
