package io.weir.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.PrimitiveIterator;

/**
 * Text for a terminal or a log. Ids, headers and errors come from senders: a control character in
 * one could clear the screen, hide a line or forge one.
 */
public final class Printable {
  private static final String CUT = " ... (%,d characters)";

  private Printable() {}

  /**
   * The text on one line. Control and format characters (escape sequences, line breaks, direction
   * marks) become escapes as in JSON, so a line of JSON keeps its meaning. Tabs stay.
   */
  public static String line(String text) {
    if (text.chars().allMatch(Printable::isPlain)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16);
    for (PrimitiveIterator.OfInt each = text.codePoints().iterator(); each.hasNext(); ) {
      int c = each.nextInt();
      if (isShown(c)) {
        shown.appendCodePoint(c);
      } else if (c == '\n') {
        shown.append("\\n");
      } else if (c == '\r') {
        shown.append("\\r");
      } else {
        for (char unit : Character.toChars(c)) {
          shown.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
      }
    }
    return shown.toString();
  }

  /** The same, cut at a number of characters. */
  public static String line(String text, int longest) {
    return line(cut(text, longest));
  }

  /** The text up to a number of characters; a longer one ends with its length. */
  public static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
    return text.substring(0, end) + String.format(Locale.ROOT, CUT, text.length());
  }

  /** The text as one word of a command that people paste into bash, zsh or ksh. */
  public static String shellWord(String text) {
    if (text.matches("[A-Za-z0-9_./:=,%@+-]+")) {
      return text;
    }
    if (text.codePoints().allMatch(c -> c != '\t' && isShown(c))) {
      return "'" + text.replace("'", "'\\''") + "'";
    }
    StringBuilder word = new StringBuilder("$'");
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b < 0x7f && b != '\'' && b != '\\') {
        word.append((char) b);
      } else {
        word.append(String.format(Locale.ROOT, "\\%03o", b & 0xff));
      }
    }
    return word.append('\'').toString();
  }

  private static boolean isPlain(int c) {
    return c >= ' ' && c < 0x7f || c == '\t';
  }

  private static boolean isShown(int c) {
    return isPlain(c)
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SURROGATE ->
              false;
          default -> true;
        };
  }
}
