package io.weir.cli.plan;

import io.weir.cli.pages.Exposition;
import java.util.List;

/**
 * Figures of running processes, from two scrapes of their metrics: rate, sensors, and readings for
 * a second of processor time.
 *
 * @param rate readings per second of all processes
 * @param sensors sensors in the state of all processes
 * @param perProcessor readings for a second of processor time; 0 if there was none
 */
public record LiveFigures(double rate, double sensors, double perProcessor) {
  private static final double NANOS = 1e9;

  /**
   * @param before the metrics page of each process
   * @param after the same, later
   * @param seconds time between the scrapes
   */
  public static LiveFigures of(List<Exposition> before, List<Exposition> after, double seconds) {
    double readings = readings(after) - readings(before);
    double processor = processorSeconds(after) - processorSeconds(before);
    return new LiveFigures(
        Math.max(0, readings / seconds),
        sum(after, "weir_sensors"),
        readings > 0 && processor > 0 ? readings / processor : 0);
  }

  private static double readings(List<Exposition> pages) {
    return sum(pages, "weir_readings_total");
  }

  private static double processorSeconds(List<Exposition> pages) {
    return sum(pages, "process_cpu_time_ns_total") / NANOS;
  }

  private static double sum(List<Exposition> pages, String name) {
    return pages.stream().mapToDouble(page -> page.sum(name)).sum();
  }

  /**
   * Replaces both rates by the observed readings for a second of processor time, with the batches
   * of the running gateways. A process with low load spends time on other work, so this is a lower
   * bound.
   */
  public PlanFigures over(PlanFigures others, String source) {
    String origin = source + ", readings a processor second";
    return others
        .with(Figure.DENSE_READINGS_PER_SECOND, perProcessor, origin)
        .with(Figure.WIDE_READINGS_PER_SECOND, perProcessor, origin);
  }
}
