package io.weir.cli.doctor;

import io.weir.cli.hot.HotReport;
import java.util.List;
import java.util.Locale;

/** One sensor that gives much of all there is. */
final class HotCheck implements Check {
  private static final double MUCH = 0.25;

  /** Below that no partition is too small for all of it. */
  private static final long FEW_A_MINUTE = 600_000;

  @Override
  public String name() {
    return "hot";
  }

  @Override
  public List<Finding> look(Examination of) {
    HotReport hot = of.hot().orElse(null);
    if (hot == null || hot.readings() < FEW_A_MINUTE) {
      return List.of();
    }
    return hot.sensors().stream()
        .filter(row -> row.shareOfAll() > MUCH)
        .map(
            row ->
                risk(
                    String.format(
                        Locale.ROOT,
                        "sensor %s gives %.0f %% of all readings and %.0f %% of partition %d",
                        row.id(),
                        100 * row.shareOfAll(),
                        100 * row.share(),
                        row.partition()),
                    "a partition has one thread: it is the first that lags",
                    "publish it as several ids: weir edge --split "
                        + row.id()
                        + "=8, docs/capacity.md"))
        .toList();
  }
}
