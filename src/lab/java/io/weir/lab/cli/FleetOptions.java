package io.weir.lab.cli;

import io.weir.lab.bench.Fleet;
import io.weir.lab.bench.LoadForm;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The fleet that {@code weir bench} measures, as options. */
final class FleetOptions {
  @Option(
      names = "--sensors",
      paramLabel = "N",
      description = "fleet, hot: sensors (20000, hot 2000).")
  private Integer sensors;

  @Option(
      names = "--period",
      paramLabel = "DURATION",
      description = "fleet: how often each sends (1s).")
  private Duration period = Fleet.DEFAULT.period();

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      description = "fleet: how long it is measured, after the warm-up (60s).")
  private Duration duration = Fleet.DEFAULT.duration();

  @Option(
      names = "--warm-up",
      paramLabel = "DURATION",
      description = "fleet: how long it sends before it is measured (30s, or a period).")
  private Duration warmUp;

  @Option(names = "--gateways", paramLabel = "N", description = "fleet: gateways (1).")
  private int gateways = Fleet.DEFAULT.gateways();

  @Option(
      names = "--flush-interval",
      paramLabel = "DURATION",
      description = "fleet: flush interval of its gateways (20ms).")
  private Duration flushInterval = Fleet.DEFAULT.flushInterval();

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description = "fleet: form of its gateways' batches: ${COMPLETION-CANDIDATES} (COLUMNAR).")
  private LoadForm form = LoadForm.COLUMNAR;

  /** The fleet asked for, with so many sensors where nobody says how many. */
  Fleet fleet(int defaultSensors) {
    int all = sensors == null ? defaultSensors : sensors;
    return new Fleet(
            all,
            period,
            warmUp == null ? defaultWarmUp() : warmUp,
            duration,
            gateways,
            flushInterval)
        .in(form);
  }

  private Duration defaultWarmUp() {
    return period.compareTo(Fleet.DEFAULT.warmUp()) > 0 ? period : Fleet.DEFAULT.warmUp();
  }
}
