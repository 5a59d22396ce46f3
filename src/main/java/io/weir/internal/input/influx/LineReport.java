package io.weir.internal.input.influx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What became of the lines of a request. Not thread-safe. */
final class LineReport {
  private static final int MOST_NAMED = 10;

  private final List<String> named = new ArrayList<>();
  private final Map<String, Integer> refusals = new HashMap<>();
  private int lines;
  private int refusedLines;
  private int refusedReadings;
  private int skipped;
  private int withoutTime;

  void line() {
    lines++;
  }

  /**
   * A line is refused, or a reading of it.
   *
   * @param first whether it is the first refusal of the line
   */
  void refused(int lineNo, String reason, boolean first) {
    refusedReadings++;
    refusals.merge(reason, 1, Integer::sum);
    if (first) {
      refusedLines++;
      if (named.size() < MOST_NAMED) {
        named.add("line " + lineNo + ": " + reason);
      }
    }
  }

  void skipped() {
    skipped++;
  }

  void withoutTime() {
    withoutTime++;
  }

  int lines() {
    return lines;
  }

  int refusedLines() {
    return refusedLines;
  }

  int refusedReadings() {
    return refusedReadings;
  }

  Map<String, Integer> refusals() {
    return refusals;
  }

  int skippedLines() {
    return skipped;
  }

  int readingsWithoutTime() {
    return withoutTime;
  }

  /** Names lines and reasons, never the lines themselves: Telegraf acts on phrases inside. */
  String message() {
    return "partial write: %d of %d lines refused: %s; dropped=%d"
        .formatted(refusedLines, lines, String.join("; ", named), refusedLines);
  }
}
