package io.weir.internal.text.mapping;

import java.text.Normalizer;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of months in a language: the full name, or a beginning of three letters or more that no
 * other month has; ignoring case, accents and dots. So an abbreviation does not depend on the
 * version of the JDK, which changed several of them.
 */
final class Months {
  /** Abbreviations that are no beginnings. */
  private static final Map<String, Map<String, Integer>> OTHERS =
      Map.of(
          "de", Map.of("mrz", 3),
          "nl", Map.of("mrt", 3),
          "fr", Map.of("jul", 7),
          "es", Map.of("set", 9));

  private static final Pattern WORD = Pattern.compile("\\p{L}{3,}\\.?");
  private static final int MIN_LETTERS = 3;

  private static final Map<Locale, Map<String, Integer>> KNOWN = new ConcurrentHashMap<>();

  private final Map<String, Integer> names;

  Months(Locale language) {
    this.names = KNOWN.computeIfAbsent(language, Months::names);
  }

  /** The text with the first name of a month replaced by its two digits. */
  String toDigits(String text) {
    Matcher words = WORD.matcher(text);
    while (words.find()) {
      int month = names.getOrDefault(plain(words.group()), 0);
      if (month > 0) {
        return text.substring(0, words.start())
            + String.format(Locale.ROOT, "%02d", month)
            + text.substring(words.end());
      }
    }
    return text;
  }

  /** All beginnings; those of several months have 0. */
  private static Map<String, Integer> names(Locale language) {
    Map<String, Integer> names = new HashMap<>();
    Map<String, Integer> whole =
        new HashMap<>(OTHERS.getOrDefault(language.getLanguage(), Map.of()));
    for (Month month : Month.values()) {
      for (TextStyle style : List.of(TextStyle.FULL, TextStyle.FULL_STANDALONE)) {
        String name = plain(month.getDisplayName(style, language));
        whole.put(name, month.getValue());
        for (int length = MIN_LETTERS; length < name.length(); length++) {
          names.merge(
              name.substring(0, length),
              month.getValue(),
              (a, b) -> a.equals(b) ? a : Integer.valueOf(0));
        }
      }
    }
    names.putAll(whole);
    return names;
  }

  private static String plain(String word) {
    return Normalizer.normalize(word.toLowerCase(Locale.ROOT), Normalizer.Form.NFD)
        .replaceAll("[\\p{M}.]", "");
  }
}
