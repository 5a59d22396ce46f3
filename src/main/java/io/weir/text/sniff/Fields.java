package io.weir.text.sniff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lines taken apart by a delimiter that has to be found first. */
final class Fields {
  private static final String CANDIDATES = "\t;|,";
  private static final double MOST = 0.4;

  private Fields() {}

  /** A delimiter and into how many fields it takes most lines apart. */
  record Delimiter(char character, int columns, double share) {
    /** As one types it. */
    String typed() {
      return switch (character) {
        case '\t' -> "tab";
        case ' ' -> "whitespace";
        default -> String.valueOf(character);
      };
    }
  }

  /** The delimiter that takes most lines apart alike; blanks where there is no other. */
  static Delimiter delimiter(List<String> lines) {
    Delimiter best = new Delimiter(',', 1, 0);
    for (char candidate : CANDIDATES.toCharArray()) {
      Delimiter found = of(candidate, lines);
      if (found.share() > best.share()) {
        best = found;
      }
    }
    return best.share() >= MOST ? best : of(' ', lines);
  }

  private static Delimiter of(char candidate, List<String> lines) {
    Map<Integer, Integer> counts = new HashMap<>();
    int all = 0;
    for (String line : lines) {
      if (!line.isBlank()) {
        all++;
        counts.merge(split(line, candidate).size(), 1, Integer::sum);
      }
    }
    Delimiter best = new Delimiter(candidate, 1, 0);
    for (Map.Entry<Integer, Integer> count : counts.entrySet()) {
      double share = (double) count.getValue() / all;
      if (count.getKey() > 1 && share > best.share()) {
        best = new Delimiter(candidate, count.getKey(), share);
      }
    }
    return best;
  }

  /** The fields of a line, without quotes and without blanks around them. */
  static List<String> split(String line, char delimiter) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    String text = delimiter == ' ' ? line.strip() : line;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean ends = c == delimiter || (delimiter == ' ' && c == '\t');
      if (c == '"') {
        quoted = !quoted;
      } else if (ends && !quoted) {
        boolean run = delimiter == ' ' && field.isEmpty();
        if (!run) {
          fields.add(field.toString().strip());
        }
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString().strip());
    return fields;
  }
}
