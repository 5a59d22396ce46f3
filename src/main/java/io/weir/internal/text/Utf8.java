package io.weir.internal.text;

/** UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private Utf8() {}

  /** Whether the bytes are well-formed. One pass, no allocation. */
  public static boolean isValid(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int length = bytes[at] >= 0 ? 1 : sequenceLength(bytes, at, to);
      if (length == 0) {
        return false;
      }
      at += length;
    }
    return true;
  }

  /** The length of the sequence of several bytes that begins here, or 0 where none does. */
  private static int sequenceLength(byte[] bytes, int at, int to) {
    int lead = bytes[at] & 0xff;
    int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || to - at < length) {
      return 0;
    }
    int second = bytes[at + 1] & 0xff;
    // The second byte alone shows overlong forms, surrogates and what lies above U+10FFFF.
    int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  /** Whether the text holds half a surrogate pair, which UTF-8 cannot write. */
  public static boolean hasLoneSurrogate(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return true;
        }
        i++;
      }
    }
    return false;
  }
}
