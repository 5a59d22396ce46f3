package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chart.PromQl.Selector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromQlTest {
  @Test
  void everySelector_isFound_andNoFunctionIsOne() {
    PromQl query =
        PromQl.of(
            "histogram_quantile(0.9, sum by (job, le) (rate(a_bucket{x=\"1\", y=~\"b.*\"}[10m]))) > 5"
                + " and on (job) sum(b) by (pod) unless absent(c{}) offset 5m");

    assertThat(query.selectors())
        .containsExactly(
            new Selector("a_bucket", Map.of("x", "1"), Set.of("x", "y")),
            new Selector("b", Map.of(), Set.of()),
            new Selector("c", Map.of(), Set.of()));
    assertThat(query.grouping()).containsExactly("job", "le", "pod");
  }

  @Test
  void nameAlone_isASelector() {
    assertThat(PromQl.of("weir_ready == 0").selectors())
        .isEqualTo(List.of(new Selector("weir_ready", Map.of(), Set.of())));
  }
}
