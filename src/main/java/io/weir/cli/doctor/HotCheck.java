package io.weir.cli.doctor;

import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotRow;
import io.weir.internal.text.Printable;
import java.util.List;
import java.util.Locale;

/** Finds a sensor with a large share of all readings. */
final class HotCheck implements Check {
  private static final double MUCH = 0.25;

  /** Above this rate a sensor is always hot: 10,000 readings a second. */
  private static final long MANY_A_MINUTE = 600_000;

  /** Below this rate a sensor is never hot: 100 readings a second. */
  private static final long FEW_A_MINUTE = 6_000;

  private static final int TIMES_THE_MEDIAN = 5;

  @Override
  public String name() {
    return "hot";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    HotReport hot = cluster.pages().hot().orElse(null);
    if (hot == null || hot.readings() < FEW_A_MINUTE) {
      return List.of();
    }
    long[] listed = hot.sensors().stream().mapToLong(HotRow::readings).sorted().toArray();
    long usual = listed.length == 0 ? 0 : listed[listed.length / 2];
    return hot.sensors().stream()
        .filter(row -> row.shareOfAll() > MUCH)
        .filter(row -> hot.readings() >= MANY_A_MINUTE || row.readings() > TIMES_THE_MEDIAN * usual)
        .map(
            row ->
                risk(
                    String.format(
                        Locale.ROOT,
                        "sensor %s sends %.0f %% of all readings and %.0f %% of partition %d",
                        row.id(),
                        100 * row.shareOfAll(),
                        100 * row.share(),
                        row.partition()),
                    "one thread processes a partition: this one will lag first",
                    "publish it as several ids: weir edge --split "
                        + Printable.shellWord(row.id())
                        + "=8, docs/operate/size.md"))
        .toList();
  }
}
