package io.weir.internal.text.sniff;

import io.weir.internal.text.Cells;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** Lines taken apart by a delimiter that has to be found first. */
final class Fields {
  private static final String CANDIDATES = "\t;|,";
  private static final double MOST = 0.4;
  private static final double LEAST = 0.3;

  /** Each column of a table is looked at as several kinds of texts. */
  private static final int MAX_COLUMNS = 1_000;

  /** Expressions are tried on fields. */
  private static final int MAX_FIELD = 200;

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

    /** The fields of a record, as many as there are columns; empty where the line is none. */
    List<String> record(String line) {
      List<String> fields = new ArrayList<>();
      for (String field : Cells.texts(line, character)) {
        fields.add(field.substring(0, Math.min(field.length(), MAX_FIELD)));
      }
      while (fields.size() > columns && fields.get(fields.size() - 1).isEmpty()) {
        fields.remove(fields.size() - 1);
      }
      if (fields.size() > 1 && fields.size() == columns - 1) {
        fields.add("");
      } else if (fields.size() == columns + 1) {
        fields.remove(columns); // Lascar's loggers have a number in the first record only.
      }
      return fields.size() == columns ? Collections.unmodifiableList(fields) : List.of();
    }
  }

  /** The delimiter that takes most lines apart alike; blanks where there is no other. */
  static Delimiter delimiter(List<String> lines) {
    Delimiter best = new Delimiter(',', 1, 0);
    for (char candidate : CANDIDATES.toCharArray()) {
      Delimiter found = of(candidate, lines);
      best = found.share() > best.share() ? found : best;
    }
    return best.share() >= MOST ? best : blanks(lines);
  }

  static Delimiter blanks(List<String> lines) {
    return of(' ', lines);
  }

  /** The number of fields that most lines have from the first such line on. */
  private static Delimiter of(char candidate, List<String> lines) {
    List<Integer> counts =
        lines.stream()
            .filter(line -> !line.isBlank())
            .map(line -> Cells.texts(line, candidate).size())
            .toList();
    Delimiter best = new Delimiter(candidate, 1, 0);
    for (int columns : new TreeSet<>(counts).descendingSet()) {
      double number = Collections.frequency(counts, columns);
      double share = number / (counts.size() - counts.indexOf(columns));
      if (columns > 1
          && columns <= MAX_COLUMNS
          && number >= LEAST * counts.size()
          && share > best.share()) {
        best = new Delimiter(candidate, columns, share);
      }
    }
    return best;
  }
}
