package io.weir.lab.bench;

import io.weir.internal.app.WindowKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a paced fleet cost, as lines for people: medians of the rounds. */
final class FleetTable {
  private static final double MIB = 1 << 20;
  private static final double GB = 1e9;
  private static final double PACE_TOLERANCE = 0.05;
  private static final int SECONDS_OF_A_DAY = 86_400;

  private final BenchResults results;

  FleetTable(BenchResults results) {
    this.results = results;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    results
        .plan()
        .fleet()
        .ifPresent(
            fleet ->
                results.all().keySet().stream()
                    .filter(cell -> cell.group().equals(BenchPlan.FLEET))
                    .filter(cell -> results.spread(cell, Figure.READINGS_PER_SECOND).isPresent())
                    .forEach(
                        cell -> {
                          addFleet(fleet, cell, lines);
                          if (cell.subject() == Subject.OFF) {
                            addBroker(cell, lines);
                          } else {
                            addWeir(fleet, cell, lines);
                          }
                        }));
    return lines;
  }

  private void addFleet(Fleet fleet, Cell cell, List<String> lines) {
    double topic = value(cell, Figure.TOPIC_BYTES_PER_READING);
    add(
        lines,
        cell.group(),
        "%s: %,d sensors every %s ms at %,d gateways, in %s, flushed every %s ms; %,.0f readings a second"
            + " were due, %,.0f came",
        cell.subject().label(),
        fleet.sensors(),
        fleet.period().toMillis(),
        fleet.gateways(),
        fleet.form() == LoadForm.ROW ? "rows" : "columns",
        fleet.flushInterval().toMillis(),
        fleet.perSecond(),
        value(cell, Figure.READINGS_PER_SECOND));
    double pace = value(cell, Figure.READINGS_PER_SECOND) / fleet.perSecond();
    if (Math.abs(pace - 1) > PACE_TOLERANCE) {
      add(
          lines,
          "  NOT AT ITS PACE",
          "the machine was too busy: what follows is of %.2f times the readings that were due",
          pace);
    }
    add(lines, "  readings", "%.1f bytes a reading, %s", topic, aDay(topic, fleet));
  }

  private void addWeir(Fleet fleet, Cell cell, List<String> lines) {
    double cpu = value(cell, Figure.CPU_SECONDS_PER_MILLION);
    double windows = value(cell, Figure.WINDOWS);
    double windowBytes = value(cell, Figure.WINDOWS_BYTES);
    double changelog = value(cell, Figure.CHANGELOG_WRITTEN_BYTES_PER_READING);
    double internal = value(cell, Figure.INTERNAL_BYTES_PER_READING);
    add(
        lines,
        "  windows",
        "%.1f bytes each, %s",
        windowBytes / windows,
        aDay(windowBytes / windows * windowsAReading(fleet), fleet));
    add(
        lines,
        "  changelog",
        "%.1f bytes a reading, %s; %.1f MiB are kept, %.1f MiB of them live, before compression",
        changelog,
        aDay(changelog, fleet),
        value(cell, Figure.CHANGELOG_KEPT_BYTES) / MIB,
        value(cell, Figure.CHANGELOG_LIVE_BYTES) / MIB);
    add(lines, "  Kafka's own", "%.1f bytes a reading, %s", internal, aDay(internal, fleet));
    add(
        lines,
        "  Weir",
        "%.2f s of CPU a million readings, %.2f processors; memory %.0f MiB, %.0f MiB at most,"
            + " %.0f MiB of heap live",
        cpu,
        cpu * value(cell, Figure.READINGS_PER_SECOND) / 1e6,
        value(cell, Figure.RESIDENT_BYTES) / MIB,
        value(cell, Figure.PEAK_MEMORY_BYTES) / MIB,
        value(cell, Figure.LIVE_HEAP_BYTES) / MIB);
    addBroker(cell, lines);
    add(
        lines,
        "  behind",
        "%,.0f records at most; from a closing reading to its window p50 %.0f ms, p99 %.0f ms",
        value(cell, Figure.MOST_LAG_RECORDS),
        value(cell, Figure.P50_MS),
        value(cell, Figure.P99_MS));
    add(
        lines,
        "  started again",
        "%.1f s until all is restored from this changelog",
        value(cell, Figure.RESTORE_SECONDS));
  }

  private void addBroker(Cell cell, List<String> lines) {
    add(
        lines,
        "  broker",
        "%.2f s of CPU a million readings, %.2f processors; all that it writes %.1f bytes a"
            + " reading",
        value(cell, Figure.BROKER_CPU_SECONDS_PER_MILLION),
        value(cell, Figure.BROKER_PROCESSORS),
        value(cell, Figure.WRITTEN_BYTES_PER_READING));
  }

  /** In the long run; the last windows of a short one are not closed. */
  private static double windowsAReading(Fleet fleet) {
    return (double) fleet.period().toMillis()
        / Math.max(
            fleet.period().toMillis(),
            WindowKeys.WINDOW_SIZE.defaultValue().orElseThrow().toMillis());
  }

  private static String aDay(double bytesPerReading, Fleet fleet) {
    return String.format(
        Locale.ROOT,
        "%.2f GB a day and replica",
        bytesPerReading * fleet.perSecond() * SECONDS_OF_A_DAY / GB);
  }

  private static void add(List<String> lines, String what, String format, Object... values) {
    lines.add(
        String.format(Locale.ROOT, "%-19s ", what) + String.format(Locale.ROOT, format, values));
  }

  private double value(Cell cell, Figure figure) {
    return results.spread(cell, figure).map(Spread::median).orElse(Double.NaN);
  }
}
