package io.weir.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The results as lines for people. */
public final class BenchTable {
  private static final String ROW = "%-15s %-27s %9s  %-15s %5s %6s %6s %6s %6s %6s %6s %6s";
  private static final double MIB = 1 << 20;

  private final BenchResults results;

  public BenchTable(BenchResults results) {
    this.results = results;
  }

  /** All lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<String> rows =
        results.all().keySet().stream()
            .filter(cell -> cell.subject() != Subject.RECORDING && hasRate(cell))
            .filter(cell -> !cell.group().equals(BenchPlan.FLEET))
            .filter(cell -> cell.subject() != Subject.RESTING)
            .map(this::row)
            .toList();
    if (!rows.isEmpty()) {
      addRows(rows, lines);
    }
    lines.addAll(new RecordingTable(results).lines());
    lines.addAll(new FleetTable(results).lines());
    lines.addAll(new ComparisonTable(results).lines());
    addRest(lines);
    addTimers(lines);
    addLatencies(lines);
    addRatios(lines);
    return lines;
  }

  private void addRows(List<String> rows, List<String> lines) {
    lines.add(
        String.format(
            ROW,
            "load",
            "",
            "readings",
            "least - most",
            "warm",
            "CPU s",
            "peak",
            "heap",
            "topic",
            "log",
            "of the",
            "of the"));
    lines.add(
        String.format(
            ROW, "", "", "a second", "", "up s", "a mill", "MiB", "MiB", "B", "B", "loop", "DSL"));
    lines.addAll(rows);
    lines.add(
        "heap: what is live at the end; topic, log: bytes a reading on the topic and written to"
            + " changelogs, compressed");
    lines.add("");
    addLoads(lines);
    addKept(lines);
  }

  private boolean hasRate(Cell cell) {
    return results.spread(cell, Figure.READINGS_PER_SECOND).isPresent()
        && results.spread(cell, Figure.P50_MS).isEmpty();
  }

  private String row(Cell cell) {
    Spread rate = results.spread(cell, Figure.READINGS_PER_SECOND).orElseThrow();
    return String.format(
            Locale.ROOT,
            ROW,
            cell.group(),
            cell.subject().label(),
            millions(rate.median()),
            millions(rate.least()) + " - " + millions(rate.most()),
            number(cell, Figure.WARM_UP_SECONDS, "%.1f", 1),
            number(cell, Figure.CPU_SECONDS_PER_MILLION, "%.3f", 1),
            number(cell, Figure.PEAK_MEMORY_BYTES, "%.0f", MIB),
            number(cell, Figure.LIVE_HEAP_BYTES, "%.0f", MIB),
            topicBytes(cell),
            number(cell, Figure.CHANGELOG_BYTES_PER_READING, "%.2f", 1),
            over(cell, Subject.LOOP),
            over(cell, Subject.DSL))
        .stripTrailing();
  }

  private static String millions(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 1e6 ? "%.3f M" : "%.2f M", perSecond / 1e6);
  }

  private String number(Cell cell, Figure figure, String format, double unit) {
    return results
        .spread(cell, figure)
        .map(spread -> String.format(Locale.ROOT, format, spread.median() / unit))
        .orElse("");
  }

  private String topicBytes(Cell cell) {
    return results.loads().stream()
        .filter(topic -> topic.load().name().equals(cell.group()))
        .map(topic -> String.format(Locale.ROOT, "%.2f", topic.bytesPerReading()))
        .findFirst()
        .orElse("");
  }

  private String over(Cell cell, Subject other) {
    Cell base = new Cell(cell.group(), other);
    Optional<Spread> ratio =
        cell.equals(base)
            ? Optional.empty()
            : results.ratio(Figure.READINGS_PER_SECOND, cell, base);
    return ratio.map(r -> String.format(Locale.ROOT, "%.3g", r.median())).orElse("");
  }

  private void addLoads(List<String> lines) {
    for (LoadedTopic topic : results.loads()) {
      LoadShape shape = topic.load().shape();
      lines.add(
          String.format(
              Locale.ROOT,
              "%-19s %,d readings of %,d sensors, %d of a sensor in a batch, %.2f bytes a reading",
              topic.load().name(),
              topic.readings(),
              shape.sensors(),
              shape.readingsPerSensorAndBatch(),
              topic.bytesPerReading()));
    }
    lines.add(
        "Warm-up: the first "
            + BenchScale.WARM_UP_PERCENT
            + "% of each run's readings are not measured"
            + " (where windows are kept "
            + LoadShape.KEPT.warmUpPercent()
            + "%); rounds: "
            + results.plan().scale().rounds()
            + ", medians are shown.");
    if (!results.plan().scale().thorough()) {
      lines.add(
          "A quick run is over before the JIT compiler is: Weir, which has the most code, looks"
              + " better in a full one.");
    }
  }

  private void addKept(List<String> lines) {
    for (Cell cell : results.all().keySet()) {
      if (results.spread(cell, Figure.CHANGELOG_LIVE_BYTES).isPresent()
          && results.spread(cell, Figure.P50_MS).isEmpty()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%-19s %d closed windows kept of each sensor; the changelog's entries have %s MiB,"
                    + " what the broker keeps of it %s MiB",
                cell.group(),
                LoadShape.KEPT.keptWindows(),
                number(cell, Figure.CHANGELOG_LIVE_BYTES, "%.0f", MIB),
                number(cell, Figure.CHANGELOG_KEPT_BYTES, "%.0f", MIB)));
      }
    }
  }

  private void addRest(List<String> lines) {
    Cell cell = new Cell(BenchPlan.REST, Subject.RESTING);
    if (results.spread(cell, Figure.LIVE_HEAP_BYTES).isPresent()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-19s all partitions, no sensors: memory %s MiB; %s MiB of heap live, %s MiB of"
                  + " classes and compiled code, %s MiB of direct buffers",
              cell.group(),
              number(cell, Figure.RESIDENT_BYTES, "%.0f", MIB),
              number(cell, Figure.LIVE_HEAP_BYTES, "%.0f", MIB),
              number(cell, Figure.NOT_HEAP_BYTES, "%.0f", MIB),
              number(cell, Figure.DIRECT_BYTES, "%.1f", MIB)));
    }
  }

  private void addTimers(List<String> lines) {
    Cell cell = new Cell(BenchPlan.EVENTS_TIMERS, Subject.TIMERS);
    if (results.spread(cell, Figure.MOST_WAITING).isPresent()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-19s %s waited at once, %s came due a second, %s before their time; CPU %s s a"
                  + " million, %s MiB at most; from due to readable:",
              cell.group(),
              number(cell, Figure.MOST_WAITING, "%,.0f", 1),
              number(cell, Figure.READINGS_PER_SECOND, "%,.0f", 1),
              number(cell, Figure.EARLY, "%.0f", 1),
              number(cell, Figure.CPU_SECONDS_PER_MILLION, "%.1f", 1),
              number(cell, Figure.PEAK_MEMORY_BYTES, "%.0f", MIB)));
    }
  }

  private void addLatencies(List<String> lines) {
    results
        .spread(new Cell(BenchPlan.PUBLISH, Subject.PUBLISHER), Figure.CPU_SECONDS_PER_MILLION)
        .ifPresent(
            cpu ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "%-19s publisher: %s readings offered and acknowledged for a second of CPU",
                        BenchPlan.PUBLISH,
                        millions(1e6 / cpu.median()))));
    for (Cell cell : results.all().keySet()) {
      if (results.spread(cell, Figure.P50_MS).isPresent()
          && !cell.group().equals(BenchPlan.FLEET)) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%-19s %s: p50 %s ms, p99 %s ms, p99.9 %s ms",
                cell.group(),
                cell.subject().label(),
                number(cell, Figure.P50_MS, "%.1f", 1),
                number(cell, Figure.P99_MS, "%.1f", 1),
                number(cell, Figure.P999_MS, "%.1f", 1)));
      }
    }
  }

  private void addRatios(List<String> lines) {
    lines.add("");
    for (Map.Entry<String, Spread> ratio : Ratios.of(results).entrySet()) {
      Spread spread = ratio.getValue();
      lines.add(
          String.format(
                  Locale.ROOT,
                  "%-42s %7.3g   %-16s%s",
                  ratio.getKey(),
                  spread.median(),
                  String.format(Locale.ROOT, "(%.3g - %.3g)", spread.least(), spread.most()),
                  Ratios.targetOf(ratio.getKey()))
              .stripTrailing());
    }
  }
}
