package io.weir.cli.plan;

import io.weir.cli.pages.JsonTree;
import io.weir.cli.plan.PlanFigures.Figure;
import java.util.Optional;

/**
 * Reads figures from a file of {@code weir bench --json}. Figures that it did not measure keep
 * their values.
 */
public final class BenchFigures {
  private final JsonTree bench;
  private final String source;

  private BenchFigures(JsonTree bench, String source) {
    this.bench = bench;
    this.source = source;
  }

  /**
   * @param source name of the file
   * @param others figures that it did not measure
   */
  public static PlanFigures of(JsonTree bench, String source, PlanFigures others) {
    return new BenchFigures(bench, source).over(others);
  }

  private PlanFigures over(PlanFigures others) {
    double threads = Math.max(1, bench.at("plan").at("weir_threads").number());
    double fleetSensors = bench.at("plan").at("fleet").at("sensors").number();
    return new PlanFigures(
        figure("dense_row", "readings_per_second", 1 / threads).orElse(others.denseRate()),
        figure("wide_row", "readings_per_second", 1 / threads).orElse(others.wideRate()),
        figure("fleet", "topic_bytes_per_reading", 1).orElse(others.readingBytes()),
        readingsInBatch().orElse(others.readingsInBatch()),
        others.batchBytes(),
        ratio("fleet", "windows_bytes", "windows").orElse(others.windowBytes()),
        figure("fleet", "changelog_bytes_per_reading", 1).orElse(others.changelogBytes()),
        figure("fleet", "changelog_live_bytes", 1 / Math.max(1, fleetSensors))
            .orElse(others.changelogLiveBytes()),
        others.changelogKeptWindowBytes(),
        state().orElse(others.stateBytes()),
        others.stateWindowBytes(),
        ratio("fleet", "changelog_kept_bytes", "restore_seconds").orElse(others.restoreBytes()),
        others.jobs());
  }

  /** By the gateways in the file; without them, by the fleet in the documentation. */
  private Optional<Figure> readingsInBatch() {
    JsonTree fleet = bench.at("plan").at("fleet");
    double rate = 1000 * fleet.at("sensors").number() / fleet.at("period_ms").number();
    if (median("fleet", "topic_bytes_per_reading") == 0 || !(rate > 0) || Double.isInfinite(rate)) {
      return Optional.empty();
    }
    Publishing sent =
        new Publishing(fleet.at("gateways").number(), fleet.at("flush_interval_ms").number());
    return Optional.of(
        new Figure(
            sent.readingsInBatch(rate), source + ", fleet: its gateways and flush interval"));
  }

  /** The heap difference between a million sensors and the few of the dense load. */
  private Optional<Figure> state() {
    double wide = median("wide_row", "live_heap_bytes");
    double dense = median("dense_row", "live_heap_bytes");
    double sensors = sensors("wide_row") - sensors("dense_row");
    return figure((wide - dense) / sensors, "wide_row");
  }

  private double sensors(String load) {
    return bench.at("loads").elements().stream()
        .filter(l -> l.at("name").text().equals(load))
        .mapToDouble(l -> l.at("sensors").number())
        .findFirst()
        .orElse(0);
  }

  private Optional<Figure> ratio(String group, String above, String below) {
    return figure(median(group, above) / median(group, below), group);
  }

  private Optional<Figure> figure(String group, String name, double factor) {
    return figure(median(group, name) * factor, group);
  }

  private Optional<Figure> figure(double value, String group) {
    return value > 0 && !Double.isInfinite(value)
        ? Optional.of(new Figure(value, source + ", " + group))
        : Optional.empty();
  }

  /** The median for Weir; 0 if missing. */
  private double median(String group, String figure) {
    return bench.at("results").elements().stream()
        .filter(r -> r.at("group").text().equals(group) && r.at("subject").text().equals("weir"))
        .mapToDouble(r -> r.at(figure).at("median").number())
        .findFirst()
        .orElse(0);
  }
}
