package io.weir.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Comparisons with a plain pass over the readings, a line for each run. */
final class ComparisonTable {
  private final BenchResults results;

  ComparisonTable(BenchResults results) {
    this.results = results;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<Cell, List<Figures>> cell : results.all().entrySet()) {
      for (Figures round : cell.getValue()) {
        Comparison.in(round)
            .ifPresent(comparison -> lines.add(line(cell.getKey(), round, comparison)));
      }
    }
    return lines;
  }

  private static String line(Cell cell, Figures round, Comparison comparison) {
    return String.format(
        Locale.ROOT,
        "%-15s %-27s %s%s",
        cell.group(),
        cell.subject().label(),
        kill(round),
        comparison);
  }

  private static String kill(Figures round) {
    if (round.get(Figure.KILLED_AFTER_READINGS).isEmpty()) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "killed after %,.0f readings; %s, %,.0f readings taken again; ",
        round.get(Figure.KILLED_AFTER_READINGS).getAsDouble(),
        round.get(Figure.RESTART_SECONDS).isPresent()
            ? String.format(
                Locale.ROOT,
                "next window %.1f s after its start",
                round.get(Figure.RESTART_SECONDS).getAsDouble())
            : "NO WINDOW after it",
        round.get(Figure.REPEATED_READINGS).orElse(0));
  }
}
