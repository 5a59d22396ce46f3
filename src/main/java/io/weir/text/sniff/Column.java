package io.weir.text.sniff;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A column of the sample.
 *
 * @param texts of its records, those that are empty left out
 */
record Column(int place, String name, List<String> texts) {
  private static final double MOST = 0.5;
  private static final String NUMBER = "[+-]?(\\d+(%1$s\\d*)?|%1$s\\d+)([eE][+-]?\\d+)?";
  private static final String GROUPED = "[+-]?\\d{1,3}(%s\\d{3})+(%s\\d*)?";
  static final Set<String> MISSING =
      Set.of("nan", "null", "none", "n/a", "na", "#n/a", "-", "--", "---", "s.o.", "err", "?");

  boolean isNumeric(char decimal) {
    if (texts.isEmpty()) {
      return false;
    }
    String number = NUMBER.formatted(decimal == '.' ? "\\." : ",");
    long fitting = texts.stream().filter(text -> isMissing(text) || text.matches(number)).count();
    boolean some = texts.stream().anyMatch(text -> text.matches(number));
    return some && fitting >= MOST * texts.size();
  }

  /** Whether it is numeric with that separator between groups, and some number has one. */
  boolean isGrouped(char decimal, String group) {
    String point = decimal == '.' ? "\\." : ",";
    String number = NUMBER.formatted(point);
    String grouped = GROUPED.formatted(group, point);
    long fitting =
        texts.stream()
            .filter(text -> isMissing(text) || text.matches(number) || text.matches(grouped))
            .count();
    boolean some = texts.stream().anyMatch(text -> text.matches(grouped));
    return some && fitting >= MOST * texts.size();
  }

  /** How many texts are numbers with that decimal sign, groups separated or not. */
  long numbers(char decimal, String group) {
    String point = decimal == '.' ? "\\." : ",";
    String number = NUMBER.formatted(point);
    String grouped = GROUPED.formatted(group, point);
    return texts.stream().filter(text -> text.matches(number) || text.matches(grouped)).count();
  }

  static boolean isMissing(String text) {
    return MISSING.contains(text.toLowerCase(Locale.ROOT));
  }

  int distinct() {
    return new HashSet<>(texts).size();
  }

  boolean isNamed(Set<String> names) {
    String lower = name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    return names.contains(lower);
  }

  /** As --columns takes it. */
  String reference() {
    return name.isEmpty() ? Integer.toString(place + 1) : name;
  }
}
