package io.weir.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.plan.PlanFigures.Figure;
import java.util.Optional;

/**
 * Reads figures from a file of {@code weir bench --json}. Figures that it did not measure keep
 * their values.
 */
public final class BenchFigures {
  private final JsonNode bench;
  private final String source;

  private BenchFigures(JsonNode bench, String source) {
    this.bench = bench;
    this.source = source;
  }

  /**
   * @param source name of the file
   * @param others figures that it did not measure
   */
  public static PlanFigures of(JsonNode bench, String source, PlanFigures others) {
    return new BenchFigures(bench, source).over(others);
  }

  private PlanFigures over(PlanFigures others) {
    double threads = Math.max(1, bench.path("plan").path("weir_threads").asDouble());
    double fleetSensors = bench.path("plan").path("fleet").path("sensors").asDouble();
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
    JsonNode fleet = bench.path("plan").path("fleet");
    double rate = 1000 * fleet.path("sensors").asDouble() / fleet.path("period_ms").asDouble();
    if (median("fleet", "topic_bytes_per_reading") == 0 || !(rate > 0) || Double.isInfinite(rate)) {
      return Optional.empty();
    }
    Publishing sent =
        new Publishing(
            fleet.path("gateways").asDouble(), fleet.path("flush_interval_ms").asDouble());
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
    return bench
        .path("loads")
        .valueStream()
        .filter(l -> l.path("name").asText().equals(load))
        .mapToDouble(l -> l.path("sensors").asDouble())
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
    return bench
        .path("results")
        .valueStream()
        .filter(
            r ->
                r.path("group").asText().equals(group) && r.path("subject").asText().equals("weir"))
        .mapToDouble(r -> r.path(figure).path("median").asDouble())
        .findFirst()
        .orElse(0);
  }
}
