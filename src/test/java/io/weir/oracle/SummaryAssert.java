package io.weir.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.dev.oracle.NaiveWindows;
import io.weir.v1.WindowSummary;
import java.util.Map;

/** The latest summaries of windows, held against the naive ones. */
public final class SummaryAssert {
  private SummaryAssert() {}

  /** The same windows: counts, min and max equal, sums the exact ones rounded once. */
  public static void assertEqual(
      Map<NaiveWindows.Key, WindowSummary> summaries, NaiveWindows expected) {
    assertEqual(summaries, expected.windows());
  }

  /** The same spans. */
  public static void assertEqual(
      Map<NaiveWindows.Key, WindowSummary> summaries,
      Map<NaiveWindows.Key, NaiveWindows.Window> expected) {
    assertThat(summaries.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (key, window) -> {
          WindowSummary truth = summaries.get(key);
          assertThat(truth.getCount()).as("%s", key).isEqualTo(window.count());
          assertThat(truth.getBadCount()).as("%s", key).isEqualTo(window.badCount());
          assertThat(truth.getMin()).as("%s", key).isEqualTo(window.min());
          assertThat(truth.getMax()).as("%s", key).isEqualTo(window.max());
          assertThat(NaiveWindows.isRoundedSum(window.sum(), truth.getSum()))
              .as("sum %s of %s, exactly %s", truth.getSum(), key, window.sum())
              .isTrue();
          assertThat(window.statisticsAreIn(truth))
              .as("statistics of %s: %s, not of %s", key, truth, window)
              .isTrue();
        });
  }
}
