package io.weir.cli.plan;

import io.weir.cli.pages.Exposition;
import io.weir.cli.plan.PlanFigures.Figure;
import java.util.List;

/**
 * Figures of running processes, from two readings of their metrics: rate and sensors, readings for
 * a second of processor time, and heap a sensor.
 *
 * @param rate readings a second of all processes
 * @param sensors in the state of all processes
 * @param perProcessor readings for a second of processor time; 0 where there was none
 */
public record LiveFigures(double rate, double sensors, double perProcessor) {
  private static final double NANOS = 1e9;

  /**
   * @param before a page of each process
   * @param after the same, later
   * @param seconds between them
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
   * Figures with what was seen in place of both rates: readings for a second of processor time, at
   * the batches that the release has. A process with little to do spends its time on other things,
   * so that this is the least that a thread takes.
   */
  public PlanFigures over(PlanFigures others, String source) {
    if (perProcessor == 0) {
      return others;
    }
    Figure seen = new Figure(perProcessor, source + ", readings a processor second");
    return others.withRates(seen, seen);
  }
}
