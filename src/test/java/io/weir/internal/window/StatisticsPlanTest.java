package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.aggregate.StatisticSet;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatisticsPlanTest {
  private static int sets(StatisticsPlan plan, String sensorId) {
    return plan.setsOf(sensorId.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void setsWithoutPrefix_areOfAll_othersOfThoseThatBeginSo() {
    StatisticsPlan plan =
        new StatisticsPlan(
            Map.of(
                StatisticSet.QUALITY, List.of(),
                StatisticSet.HISTOGRAM, List.of("boiler-", "Kühl"),
                StatisticSet.VARIANCE, List.of("boiler-1")));
    int quality = StatisticSet.QUALITY.bit();
    int histogram = StatisticSet.HISTOGRAM.bit();
    assertThat(sets(plan, "pump")).isEqualTo(quality);
    assertThat(sets(plan, "")).isEqualTo(quality);
    assertThat(sets(plan, "boiler")).isEqualTo(quality);
    assertThat(sets(plan, "boiler-2")).isEqualTo(quality | histogram);
    assertThat(sets(plan, "Kühler")).isEqualTo(quality | histogram);
    assertThat(sets(plan, "boiler-12"))
        .isEqualTo(quality | histogram | StatisticSet.VARIANCE.bit());
    assertThat(sets(StatisticsPlan.NONE, "boiler-1")).isZero();
  }
}
