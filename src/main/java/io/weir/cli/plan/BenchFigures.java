package io.weir.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Reads figures from a file of {@code weir bench --json}. Figures that it did not measure keep
 * their values.
 */
public final class BenchFigures {
  private static final String RATE = "readings_per_second";
  private static final String FLEET = "fleet";

  private final JsonNode bench;
  private final String source;
  private PlanFigures figures;

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
    double sensors = Math.max(1, bench.path("plan").path("fleet").path("sensors").asDouble());
    figures = others;
    put(Figure.DENSE_READINGS_PER_SECOND, median("dense_row", RATE) / threads, "dense_row");
    put(Figure.WIDE_READINGS_PER_SECOND, median("wide_row", RATE) / threads, "wide_row");
    put(Figure.READING_BYTES, median(FLEET, "topic_bytes_per_reading"), FLEET);
    put(Figure.READINGS_IN_BATCH, readingsInBatch(), "fleet: its gateways and flush interval");
    put(Figure.WINDOW_BYTES, median(FLEET, "windows_bytes") / median(FLEET, "windows"), FLEET);
    put(Figure.CHANGELOG_ENTRY_BYTES, median(FLEET, "changelog_bytes_per_reading"), FLEET);
    put(Figure.CHANGELOG_LIVE_BYTES, median(FLEET, "changelog_live_bytes") / sensors, FLEET);
    put(Figure.STATE_BYTES_PER_SENSOR, state(), "wide_row");
    put(
        Figure.RESTORE_BYTES_PER_SECOND,
        median(FLEET, "changelog_kept_bytes") / median(FLEET, "restore_seconds"),
        FLEET);
    return figures;
  }

  private void put(Figure figure, double value, String group) {
    figures = figures.with(figure, value, source + ", " + group);
  }

  /** By the gateways in the file; without them, by the fleet in the documentation. */
  private double readingsInBatch() {
    JsonNode fleet = bench.path("plan").path(FLEET);
    double rate = 1000 * fleet.path("sensors").asDouble() / fleet.path("period_ms").asDouble();
    if (median(FLEET, "topic_bytes_per_reading") == 0 || !(rate > 0) || Double.isInfinite(rate)) {
      return 0;
    }
    return new Publishing(
            fleet.path("gateways").asDouble(), fleet.path("flush_interval_ms").asDouble())
        .readingsInBatch(rate);
  }

  /** The heap difference between a million sensors and the few of the dense load. */
  private double state() {
    double wide = median("wide_row", "live_heap_bytes");
    double dense = median("dense_row", "live_heap_bytes");
    return (wide - dense) / (sensors("wide_row") - sensors("dense_row"));
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
