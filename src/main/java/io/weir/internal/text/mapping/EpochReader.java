package io.weir.internal.text.mapping;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A count since the epoch: digits, optionally with a fraction, cut to the millisecond. Not in
 * scientific notation: a spreadsheet that writes 1.7E+12 has lost the rest. One thread.
 */
final class EpochReader implements TimeReader {
  private static final int MAX_LENGTH = 40;
  private static final int MILLIS_DIGITS = 3;

  private final int unitDigits;
  private final char decimal;
  private long millis;

  /**
   * @param unitDigits 0 for seconds, 3 for milliseconds, and so on
   */
  EpochReader(int unitDigits, char decimal) {
    this.unitDigits = unitDigits;
    this.decimal = decimal;
  }

  @Override
  public Outcome read(String text, String series) {
    BigDecimal count = plainNumber(text, decimal);
    if (count == null) {
      return Outcome.BAD;
    }
    try {
      millis =
          count
              .movePointRight(MILLIS_DIGITS - unitDigits)
              .setScale(0, RoundingMode.FLOOR)
              .longValueExact();
      return Outcome.READ;
    } catch (ArithmeticException beyond64Bits) {
      return Outcome.BAD;
    }
  }

  /** Digits with a sign and a fraction, both optional; null where the text is anything else. */
  static BigDecimal plainNumber(String text, char decimal) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return null;
    }
    boolean digitBefore = false;
    boolean fraction = false;
    StringBuilder canonical = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      boolean sign = c == '-' && i == 0;
      boolean point = (c == decimal || c == '.') && digitBefore && !fraction;
      if (!digit && !sign && !point) {
        return null;
      }
      fraction |= point;
      digitBefore |= digit;
      canonical.append(point ? '.' : c);
    }
    return digitBefore ? new BigDecimal(canonical.toString()) : null;
  }

  @Override
  public long millis() {
    return millis;
  }
}
