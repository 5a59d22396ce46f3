package io.weir.internal.text.mapping;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists as one types them: {@code a,b} and {@code a=b,"c, d"=e}. Quotes protect separators. */
public final class OptionList {
  private OptionList() {}

  /**
   * The parts between the separators, unquoted.
   *
   * @throws IllegalArgumentException where a quote is not closed
   */
  public static List<String> split(String text, char separator) {
    return quotedParts(text, separator).stream().map(OptionList::unquoted).toList();
  }

  private static String unquoted(String part) {
    boolean whole = part.length() > 1 && part.startsWith("\"") && part.endsWith("\"");
    return whole
        ? part.substring(1, part.length() - 1).replace("\"\"", "\"")
        : part.replace("\"", "");
  }

  /**
   * Keys and values in their order.
   *
   * @throws IllegalArgumentException where a part has no equals sign, or a key comes twice
   */
  static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String part : quotedParts(text, ',')) {
      List<String> sides = quotedParts(part, '=');
      if (sides.size() < 2) {
        throw new IllegalArgumentException("expected: NAME=VALUE,...");
      }
      String key = String.join("", split(sides.get(0), '\0')).strip();
      String value = part.substring(sides.get(0).length() + 1);
      if (pairs.put(key, value.strip()) != null) {
        throw new IllegalArgumentException(key + "  is listed twice");
      }
    }
    return pairs;
  }

  /** The parts between separators outside of quotes, with their quotes. */
  static List<String> quotedParts(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '"';
      if (c == separator && !quoted) {
        parts.add(text.substring(from, i));
        from = i + 1;
      }
    }
    if (quoted) {
      throw new IllegalArgumentException("a quote is not closed");
    }
    parts.add(text.substring(from));
    return parts;
  }

  /** The text in quotes where it would be taken apart without. */
  public static String quote(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '=' || c == '+' || c == '"');
    return plain && text.equals(text.strip()) && !text.isEmpty() && !text.equals("--")
        ? text
        : '"' + text.replace("\"", "\"\"") + '"';
  }
}
