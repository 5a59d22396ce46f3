package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.pages.Exposition;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveFiguresTest {
  private static Exposition page(double readings, double nanos) {
    return new Exposition(
        """
        # HELP weir_readings_total readings
        weir_readings_total{outcome="aggregated",reason=""} %s
        weir_readings_total{outcome="late",reason=""} 10.0
        weir_sensors 500.0
        process_cpu_time_ns_total %s
        """
            .formatted(readings, nanos));
  }

  @Test
  void twoLooks_giveRateAndReadingsAProcessorSecond() {
    LiveFigures seen =
        LiveFigures.of(
            List.of(page(1_000, 1e9), page(5_000, 3e9)),
            List.of(page(11_000, 2e9), page(15_000, 4e9)),
            10);

    assertThat(seen.rate()).isEqualTo(2_000);
    assertThat(seen.sensors()).isEqualTo(1_000);
    assertThat(seen.perProcessor()).isEqualTo(10_000);
    assertThat(seen.over(PlanFigures.DEFAULT, "here").value(Figure.DENSE_READINGS_PER_SECOND))
        .isEqualTo(10_000);
  }

  @Test
  void releaseThatRests_leavesTheFigures() {
    LiveFigures seen = LiveFigures.of(List.of(page(1, 1)), List.of(page(1, 2e9)), 10);

    assertThat(seen.over(PlanFigures.DEFAULT, "here")).isEqualTo(PlanFigures.DEFAULT);
  }
}
