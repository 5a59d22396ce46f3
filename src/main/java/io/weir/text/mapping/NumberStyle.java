package io.weir.text.mapping;

/**
 * How numbers are written: the decimal sign, and what is between groups of three digits, if
 * anything. Blanks around a number are passed over, no-break spaces too. Immutable.
 *
 * @param decimal point or comma
 * @param group what separates groups of three digits before the decimal sign; 0 for nothing, a
 *     blank for blanks of any kind
 */
public record NumberStyle(char decimal, char group) {
  /** 1234.5 */
  public static final NumberStyle POINT = new NumberStyle('.', '\0');

  /** 1234,5 */
  public static final NumberStyle COMMA = new NumberStyle(',', '\0');

  private static final int GROUP_DIGITS = 3;

  public NumberStyle {
    if (decimal == group) {
      throw new IllegalArgumentException(
          "--group-separator " + group + ": is the decimal sign already");
    }
  }

  /** Takes the canonical text byte by byte. */
  @FunctionalInterface
  public interface Sink {
    void accept(byte b);
  }

  /**
   * Writes the number with a decimal point and without groups, never longer than it was. What is no
   * number is written so that it is none either.
   */
  public void writeCanonical(byte[] text, int from, int to, Sink out) {
    int start = skipBlanks(text, from, to);
    int end = skipBlanksBackwards(text, start, to);
    boolean inWhole = true;
    int digits = 0;
    int groups = 0;
    for (int i = start; i < end; i++) {
      byte b = text[i];
      int blank = blankLength(text, i, end);
      if (b >= '0' && b <= '9') {
        digits++;
        out.accept(b);
      } else if (inWhole && group != 0 && (b == group || (group == ' ' && blank > 0))) {
        boolean fits = groups == 0 ? digits >= 1 && digits <= GROUP_DIGITS : digits == GROUP_DIGITS;
        groups++;
        digits = 0;
        i += Math.max(0, blank - 1);
        if (!fits) {
          out.accept((byte) '?');
        }
      } else {
        if (inWhole && groups > 0 && digits != GROUP_DIGITS) {
          out.accept((byte) '?');
          groups = 0;
        }
        boolean isDecimal = b == decimal;
        inWhole &= !isDecimal && (b == '-' || b == '+') && digits == 0;
        boolean foreign = !isDecimal && (b == '.' || b == ',');
        out.accept(isDecimal ? (byte) '.' : foreign ? (byte) '?' : b);
      }
    }
    if (inWhole && groups > 0 && digits != GROUP_DIGITS) {
      out.accept((byte) '?');
    }
  }

  /** The first byte that is no blank. */
  public static int skipBlanks(byte[] text, int from, int to) {
    int at = from;
    for (int blank = blankLength(text, at, to); blank > 0; blank = blankLength(text, at, to)) {
      at += blank;
    }
    return at;
  }

  /** Behind the last byte that is no blank, from {@code from} on. */
  public static int skipBlanksBackwards(byte[] text, int from, int to) {
    int at = to;
    while (at > from) {
      if (text[at - 1] == ' ' || text[at - 1] == '\t') {
        at--;
      } else if (at - 2 >= from && blankLength(text, at - 2, at) == 2) {
        at -= 2;
      } else if (at - 3 >= from && blankLength(text, at - 3, at) == 3) {
        at -= 3;
      } else {
        return at;
      }
    }
    return at;
  }

  /** Bytes of the blank at that place: a space, a tab, a no-break space of either width; or 0. */
  private static int blankLength(byte[] text, int at, int to) {
    if (at >= to) {
      return 0;
    }
    if (text[at] == ' ' || text[at] == '\t') {
      return 1;
    }
    if (at + 1 < to && text[at] == (byte) 0xc2 && text[at + 1] == (byte) 0xa0) {
      return 2;
    }
    boolean narrow =
        at + 2 < to
            && text[at] == (byte) 0xe2
            && text[at + 1] == (byte) 0x80
            && text[at + 2] == (byte) 0xaf;
    return narrow ? 3 : 0;
  }
}
