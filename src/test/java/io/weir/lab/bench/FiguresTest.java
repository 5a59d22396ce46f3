package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FiguresTest {
  @Test
  void writtenAsALine_andRead_isTheSame() {
    Map<Figure, Double> values =
        Map.of(Figure.READINGS_PER_SECOND, 1.25e7, Figure.P99_MS, 0.1, Figure.LOAD_AVERAGE, -1.0);

    assertThat(Figures.parse(Figures.of(values).toString()).all()).isEqualTo(values);
  }

  @Test
  void lineOfSomethingElse_isRefused() {
    assertThatThrownBy(() -> Figures.parse("Picked up JAVA_TOOL_OPTIONS"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void percentiles_areTheSmallestTimesThatSoManyAreNotAbove() {
    Latencies latencies = new Latencies(1100);
    for (int event = 0; event < 100; event++) {
      latencies.record(event, 999_000_000_000L);
    }
    for (int event = 100; event < 1100; event++) {
      latencies.record(event, (1100 - event) * 1_000_000L);
    }

    Figures figures = latencies.figures(100);

    assertThat(latencies.known()).isEqualTo(1100);
    assertThat(figures.all())
        .isEqualTo(Map.of(Figure.P50_MS, 500.0, Figure.P99_MS, 990.0, Figure.P999_MS, 999.0));
  }

  @Test
  void spread_ofAnyOrder_isMiddleAndEnds() {
    assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(2, 1, 3));
    assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(2.5, 1, 4));
    assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
  }
}
