package io.weir.internal.text;

/** A timestamp as text: {@code -?[0-9]{1,19}} within 64 bits. Holds the last one read. */
public final class IntegerText {
  private static final int MAX_DIGITS = 19;

  private long value;

  /** Reads the slice; false where it is no such number, and then there is no value. */
  public boolean read(byte[] text, int from, int to) {
    boolean negative = from < to && text[from] == '-';
    int at = negative ? from + 1 : from;
    if (at == to || to - at > MAX_DIGITS) {
      return false;
    }
    // Counted downwards, as there is one more negative number than there are positive ones.
    long negated = 0;
    for (; at < to; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9 || negated < (Long.MIN_VALUE + digit) / 10) {
        return false;
      }
      negated = negated * 10 - digit;
    }
    if (!negative && negated == Long.MIN_VALUE) {
      return false;
    }
    value = negative ? negated : -negated;
    return true;
  }

  public long value() {
    return value;
  }
}
