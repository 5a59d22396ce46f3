package io.weir.text;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What may stand behind the columns that a file of windows always has. */
public enum WindowColumn {
  /** Readings of quality BAD. */
  BAD_COUNT,
  /** Sum over count; nothing where the count is 0. */
  MEAN,
  /** First moment of the window, ISO 8601 in UTC. */
  WINDOW_START,
  /** First moment after the window, ISO 8601 in UTC. */
  WINDOW_END;

  /**
   * Columns by their names, with commas between them; none for an empty text.
   *
   * @throws IllegalArgumentException where a name is of none
   */
  public static List<WindowColumn> parse(String names) {
    List<WindowColumn> columns = new ArrayList<>();
    for (String name : names.isEmpty() ? new String[0] : names.split(",", -1)) {
      try {
        columns.add(valueOf(name.strip().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            name + ": allowed is bad_count, mean, window_start, window_end", e);
      }
    }
    return columns;
  }

  /** As it stands in the header. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  String of(WindowTruth truth) {
    return switch (this) {
      case BAD_COUNT -> Long.toString(truth.badCount());
      case MEAN -> truth.count() == 0 ? "" : Double.toString(truth.sum() / truth.count());
      case WINDOW_START -> Instant.ofEpochMilli(truth.startMs()).toString();
      case WINDOW_END -> Instant.ofEpochMilli(truth.endMs()).toString();
    };
  }
}
