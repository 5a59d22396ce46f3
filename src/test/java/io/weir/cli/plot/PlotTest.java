package io.weir.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.text.SummaryRow;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {
  private static final long T0 = 1_782_288_000_000L;

  /** Two windows, a hole, and a window; the last one was amended. */
  private static WindowSeries example() {
    WindowSeries.Collector windows = new WindowSeries.Collector();
    windows.accept(window("a", 0, 2, 0.0, 4.0));
    windows.accept(window("a", 1, 2, 4.0, 9.0));
    windows.accept(window("a", 3, 2, 100.0, 100.0));
    windows.accept(window("a", 3, 2, 12.0, 13.0));
    return windows.of(null);
  }

  private static SummaryRow window(String sensor, int slot, long count, double min, double max) {
    long start = T0 + slot * 10_000L;
    return new SummaryRow(
        sensor, start, start + 10_000, count, 0, (min + max) / 2 * count, min, max, 0);
  }

  @Test
  void terminal_drawsALineFromMinToMax_theMean_andHoles() {
    List<String> rows =
        TerminalPlot.of(example(), ZoneOffset.UTC, 80).stream().map(row -> row.text(80)).toList();

    assertThat(rows)
        .containsExactly(
            "a",
            "6 readings in 3 windows of 10 s",
            "min 0.0   mean 7.0   max 13.0",
            "",
            "      13.0 ┤             ╷",
            "           │            ━━━━",
            "           │",
            "           │",
            "           │     ╷",
            "           │     │",
            "           │     │",
            "       6.5 ┤    ━━━━",
            "           │     │",
            "           │     │",
            "           │ ╷   ╵",
            "           │ │",
            "           │━━━━",
            "           │ │",
            "       0.0 ┤ ╵",
            "           └────────────────",
            "            2026-06-24 08:00:00Z 2026-06-24 08:00:40Z");
  }

  @Test
  void terminal_mergesWindowsWhereThereAreMoreThanColumns() {
    WindowSeries.Collector windows = new WindowSeries.Collector();
    for (int slot = 0; slot < 1000; slot++) {
      windows.accept(window("a", slot, 1, slot, slot));
    }
    WindowSeries series = windows.of("a");

    assertThat(series.bands(4))
        .containsExactly(
            new WindowSeries.Band(0, 124.5, 249),
            new WindowSeries.Band(250, 374.5, 499),
            new WindowSeries.Band(500, 624.5, 749),
            new WindowSeries.Band(750, 874.5, 999));
    assertThat(TerminalPlot.of(series, ZoneOffset.UTC, 60))
        .allSatisfy(row -> assertThat(row.width()).isLessThanOrEqualTo(60));
  }

  @Test
  void stretches_asManyAsWindows_eachHaveOne() {
    for (int size : new int[] {7, 9_999, 10_000, 60_001}) {
      WindowSeries.Collector windows = new WindowSeries.Collector();
      for (int i = 0; i < 719; i++) {
        long start = T0 + (long) i * size;
        windows.accept(new SummaryRow("a", start, start + size, 1, 0, i, i, i, 0));
      }
      assertThat(windows.of("a").bands(719)).doesNotContainNull();
    }
  }

  @Test
  void windowsOfBadReadingsAlone_areCounted_andNotDrawn() {
    WindowSeries.Collector windows = new WindowSeries.Collector();
    windows.accept(new SummaryRow("a", T0, T0 + 10_000, 0, 5, 0, 0, 0, 0));
    assertThat(TerminalPlot.of(windows.of("a"), ZoneOffset.UTC, 80).get(1).text(80))
        .isEqualTo("1 window, none with a value");

    windows.accept(window("a", 1, 1, 50, 50));
    List<String> rows =
        TerminalPlot.of(windows.of("a"), ZoneOffset.UTC, 80).stream().map(r -> r.text(80)).toList();
    assertThat(rows.get(1)).isEqualTo("1 reading in 2 windows of 10 s, 1 with only bad readings");
    assertThat(rows.get(2)).isEqualTo("min 50.00   mean 50.00   max 50.00");
  }

  @Test
  void sensorThatIsNotThere_isAnsweredWithThoseThatAre() {
    WindowSeries.Collector windows = new WindowSeries.Collector();
    assertThatThrownBy(() -> windows.of("a")).hasMessage("there are no windows");
    for (int i = 10; i < 22; i++) {
      windows.accept(window("s, " + i, 0, 1, 1, 1));
    }
    assertThatThrownBy(() -> windows.of("a"))
        .hasMessageStartingWith("no window of sensor a; there are 's, 10', 's, 11', ")
        .hasMessageEndingWith(" and 2 more");
    assertThatThrownBy(() -> windows.of(null)).hasMessageStartingWith("choose a sensor; ");
  }
}
