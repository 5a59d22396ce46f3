package io.weir.internal.text.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What programs write in place of JSON: {@code NaN}, {@code -nan} and {@code inf} for a number that
 * is none, which becomes null; and behind an object a comma, a semicolon or a NUL. Asked only for
 * lines that are no JSON.
 */
public final class JsonRepair {
  private static final Pattern PARTS =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*+\""
              + "|(?<![\\w.])([+-]?(?:nan|inf|infinity)(?:\\(\\w*\\))?)(?![\\w.])",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern END = Pattern.compile("(?<=[}\\]])[\\s,;\\x00]+$");

  private JsonRepair() {}

  /** The same of bytes. */
  public static byte[] repaired(byte[] line, int start, int end) {
    return repaired(new String(line, start, end - start, UTF_8)).getBytes(UTF_8);
  }

  /** The line as JSON, if that is all that it lacks. */
  public static String repaired(String line) {
    return PARTS
        .matcher(END.matcher(line).replaceFirst(""))
        .replaceAll(
            part -> Matcher.quoteReplacement(part.group(1) == null ? part.group() : "null"));
  }
}
