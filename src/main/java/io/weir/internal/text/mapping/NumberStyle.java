package io.weir.internal.text.mapping;

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

  /** Of a blank. */
  private static final int MAX_BYTES = 3;

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
   * number is written so that it is none either. A number in groups does not begin with a zero.
   */
  public void writeCanonical(byte[] text, int from, int to, Sink out) {
    int start = skipBlanks(text, from, to);
    int end = skipBlanksBackwards(text, start, to);
    boolean inWhole = true;
    boolean zero = false;
    boolean signed = false;
    int digits = 0;
    int groups = 0;
    for (int i = start; i < end; ) {
      int c = character(text, i, end);
      i += bytes(c);
      char b = (char) (c & 0xff);
      if (signed && b == ' ') {
        continue; // Loggers write their signs apart: "-   5.0".
      }
      signed = b == '-' || b == '+';
      if (b >= '0' && b <= '9') {
        zero |= digits == 0 && groups == 0 && b == '0';
        digits++;
        out.accept((byte) b);
      } else if (inWhole && group != 0 && b == group) {
        boolean fits =
            groups == 0 ? digits >= 1 && digits <= GROUP_DIGITS && !zero : digits == GROUP_DIGITS;
        groups++;
        digits = 0;
        if (!fits) {
          out.accept((byte) '?');
          return; // It replaces the separator, so the text does not grow.
        }
      } else {
        if (inWhole && groups > 0 && digits != GROUP_DIGITS) {
          out.accept((byte) '?');
          return;
        }
        boolean isDecimal = b == decimal;
        inWhole &= !isDecimal && (b == '-' || b == '+') && digits == 0;
        boolean foreign = !isDecimal && (b == '.' || b == ',');
        out.accept(isDecimal ? (byte) '.' : foreign ? (byte) '?' : (byte) b);
      }
    }
    if (inWhole && groups > 0 && digits != GROUP_DIGITS) {
      out.accept((byte) '?');
    }
  }

  /**
   * The character at that place, and in the bits above 8 of how many bytes it is: a space for a
   * blank of any kind, a hyphen for the minus sign, an ASCII apostrophe for others.
   */
  private static int character(byte[] text, int at, int to) {
    int first = text[at] & 0xff;
    if (first < 0x80) {
      return (first == '\t' ? ' ' : first) | 1 << 8;
    }
    int second = at + 1 < to ? text[at + 1] & 0xff : 0;
    int two = first << 8 | second;
    if (two == 0xc2a0) {
      return ' ' | 2 << 8;
    }
    if (two == 0xcabc) {
      return '\'' | 2 << 8;
    }
    int third = at + 2 < to ? text[at + 2] & 0xff : 0;
    return switch (two << 8 | third) {
      case 0xe28087, 0xe28088, 0xe28089, 0xe2808a, 0xe280af -> ' ' | 3 << 8;
      case 0xe28892 -> '-' | 3 << 8;
      case 0xe28098, 0xe28099 -> '\'' | 3 << 8;
      default -> first | 1 << 8;
    };
  }

  private static int bytes(int character) {
    return character >> 8;
  }

  /** The first byte that is no blank. */
  public static int skipBlanks(byte[] text, int from, int to) {
    int at = from;
    while (at < to && (char) (character(text, at, to) & 0xff) == ' ') {
      at += bytes(character(text, at, to));
    }
    return at;
  }

  /** Behind the last byte that is no blank, from {@code from} on. */
  public static int skipBlanksBackwards(byte[] text, int from, int to) {
    int at = to;
    int length = 1;
    while (length <= MAX_BYTES) {
      boolean blank =
          at - length >= from && character(text, at - length, at) == (' ' | length << 8);
      at -= blank ? length : 0;
      length = blank ? 1 : length + 1;
    }
    return at;
  }
}
