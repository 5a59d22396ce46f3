package io.weir.internal.text.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.regex.Pattern;

/**
 * What programs write in place of JSON: {@code NaN}, {@code -nan} and {@code inf} for a number that
 * is none, which becomes null; and behind an object a comma, a semicolon or a NUL. Asked only for
 * lines that are no JSON.
 */
public final class JsonRepair {
  private static final Pattern NO_NUMBER =
      Pattern.compile(
          "(?<![\\w.])[+-]?(?:nan|inf|infinity)(?:\\(\\w*\\))?(?![\\w.])",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern END = Pattern.compile("(?<=[}\\]])[\\s,;\\x00]+$");

  private JsonRepair() {}

  /** The same of bytes. */
  public static byte[] repaired(byte[] line, int start, int end) {
    return repaired(new String(line, start, end - start, UTF_8)).getBytes(UTF_8);
  }

  /** The line as JSON, if that is all that it lacks. One pass. */
  public static String repaired(String line) {
    String text = END.matcher(line).replaceFirst("");
    StringBuilder repaired = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      int quote = text.indexOf('"', at);
      int bare = quote < 0 ? text.length() : quote;
      repaired.append(NO_NUMBER.matcher(text.substring(at, bare)).replaceAll("null"));
      at = endOfText(text, bare);
      repaired.append(text, bare, at);
    }
    return repaired.toString();
  }

  /** Behind the quote that closes; the end of the line where none does. */
  private static int endOfText(String line, int quote) {
    for (int i = quote + 1; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        return i + 1;
      }
      i += c == '\\' ? 1 : 0;
    }
    return line.length();
  }
}
