package io.weir.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.oracle.NaiveWindows;
import io.weir.v1.WindowSummary;
import java.util.Map;

/** The latest summaries of windows, compared with the naive ones. */
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
          WindowSummary summary = summaries.get(key);
          assertThat(summary.getCount()).as("%s", key).isEqualTo(window.count());
          assertThat(summary.getBadCount()).as("%s", key).isEqualTo(window.badCount());
          assertThat(summary.getMin()).as("%s", key).isEqualTo(window.min());
          assertThat(summary.getMax()).as("%s", key).isEqualTo(window.max());
          assertThat(NaiveWindows.isRoundedSum(window.sum(), summary.getSum()))
              .as("sum %s of %s, exactly %s", summary.getSum(), key, window.sum())
              .isTrue();
          assertThat(window.statisticsAreIn(summary))
              .as("statistics of %s: %s, not of %s", key, summary, window)
              .isTrue();
        });
  }
}
