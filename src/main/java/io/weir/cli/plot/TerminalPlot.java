package io.weir.cli.plot;

import io.weir.cli.plot.WindowSeries.Band;
import io.weir.cli.screen.Numbers;
import io.weir.cli.screen.Row;
import io.weir.cli.screen.Style;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A sensor's windows as rows of text: a column is an interval of time, its line goes from min to
 * max, and its bar is the mean. A pure function of the windows and the width.
 */
public final class TerminalPlot {
  private static final int ROWS = 15;
  private static final int LABEL = 10;
  private static final int MAX_WIDTH = 160;
  private static final int WIDEST_SLOT = 4;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ssXXX", Locale.ROOT);

  private final WindowSeries series;
  private final ZoneId zone;
  private final Scale scale;
  private final int slots;
  private final int slotWidth;
  private final List<Row> rows = new ArrayList<>();

  private TerminalPlot(WindowSeries series, ZoneId zone, int width) {
    this.series = series;
    this.zone = zone;
    this.scale = Scale.over(series.all());
    int room = Math.max(10, Math.min(width, MAX_WIDTH) - LABEL - 2);
    this.slots = (int) Math.min(room, series.slots());
    this.slotWidth = Math.max(1, Math.min(WIDEST_SLOT, room / slots));
  }

  /** The rows for a terminal with this number of columns. */
  public static List<Row> of(WindowSeries series, ZoneId zone, int width) {
    if (series.all() == null) {
      return List.of(
          new Row().add(Style.BOLD, series.sensorId()),
          new Row()
              .add(Numbers.counted(series.windows().size(), "window") + ", none with a value"));
    }
    TerminalPlot plot = new TerminalPlot(series, zone, width);
    plot.title();
    plot.body();
    plot.foot();
    return plot.rows;
  }

  private String time(long ms) {
    return TIME.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  private Row row() {
    Row row = new Row();
    rows.add(row);
    return row;
  }

  private void title() {
    Band all = series.all();
    row().add(Style.BOLD, series.sensorId());
    Row counts =
        row()
            .add(
                Style.DIM,
                "%s in %s of %s"
                    .formatted(
                        Numbers.counted(series.readings(), "reading"),
                        Numbers.counted(series.windows().size(), "window"),
                        Numbers.spoken(Duration.ofMillis(series.windowMs()))));
    if (series.windowsWithoutValue() > 0) {
      counts.add(
          Style.DIM,
          ", " + Numbers.grouped(series.windowsWithoutValue()) + " with only bad readings");
    }
    row()
        .add(Style.DIM, "min ")
        .add(scale.label(all.min()))
        .add(Style.DIM, "   mean ")
        .add(Style.WINDOWS, scale.label(all.mean()))
        .add(Style.DIM, "   max ")
        .add(scale.label(all.max()));
    row();
  }

  private void body() {
    List<Band> bands = series.bands(slots);
    for (int fromTop = 0; fromTop < ROWS; fromTop++) {
      int fromFoot = ROWS - 1 - fromTop;
      Row row = row();
      boolean labelled = fromTop == 0 || fromFoot == 0 || fromTop == ROWS / 2;
      if (labelled) {
        row.endingAt(LABEL, Style.DIM, scale.label(scale.value(middle(fromFoot))));
      }
      row.at(LABEL).add(Style.DIM, labelled ? " \u2524" : " \u2502");
      for (Band band : bands) {
        cell(row, band, fromFoot);
      }
    }
  }

  private static double middle(int fromFoot) {
    return fromFoot / (double) (ROWS - 1);
  }

  /** A row shows the nearest values; the ends of a line are half a row long. */
  private void cell(Row row, Band band, int fromFoot) {
    if (band == null) {
      row.add(" ".repeat(slotWidth));
      return;
    }
    int mean = rowOf(band.mean());
    int low = rowOf(band.min());
    int high = rowOf(band.max());
    if (Double.isFinite(band.mean()) && fromFoot == mean) {
      row.add(Style.WINDOWS, "\u2501".repeat(slotWidth));
    } else if (fromFoot < low || fromFoot > high) {
      row.add(" ".repeat(slotWidth));
    } else {
      String line = fromFoot == high ? "\u2577" : fromFoot == low ? "\u2575" : "\u2502";
      int before = (slotWidth - 1) / 2;
      row.add(" ".repeat(before)).add(Style.DIM, line).add(" ".repeat(slotWidth - 1 - before));
    }
  }

  private int rowOf(double value) {
    return (int) Math.round(scale.place(value) * (ROWS - 1));
  }

  private void foot() {
    int width = slots * slotWidth;
    row().at(LABEL + 1).add(Style.DIM, "\u2514" + "\u2500".repeat(width));
    String first = time(series.startMs());
    String last = time(series.endMs());
    Row row = row().at(LABEL + 2).add(Style.DIM, first);
    row.endingAt(LABEL + 2 + width, Style.DIM, last);
  }
}
