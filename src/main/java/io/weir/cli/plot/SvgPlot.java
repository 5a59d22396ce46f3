package io.weir.cli.plot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cli.plot.WindowSeries.Band;
import io.weir.cli.screen.Numbers;
import io.weir.cli.screen.SvgScreen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A sensor's windows as an SVG picture: the area from min to max, and the mean as a line; both have
 * gaps where a window is missing. Colours follow the viewer's light or dark scheme.
 */
public final class SvgPlot {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 360;
  private static final int LEFT = 76;
  private static final int RIGHT = 20;
  private static final int TOP = 58;
  private static final int BOTTOM = 44;
  private static final int MOST_STRETCHES = 800;
  private static final int TIME_TICKS = 6;
  private static final int VALUE_TICKS = 4;

  private static final String STYLE =
      """
      <style>
      .paper{fill:#fff}text{fill:#333;font:13px system-ui,sans-serif}
      .title{font-weight:600;font-size:16px}.grid{stroke:#ddd}
      .range{fill:#5fafff;fill-opacity:.3;stroke:#5fafff;stroke-opacity:.3}
      .mean{fill:none;stroke:#0b66c3;stroke-width:1.6;stroke-linejoin:round}.dot{fill:#0b66c3}
      @media (prefers-color-scheme:dark){.paper{fill:#16191d}text{fill:#ccc}.grid{stroke:#333}
      .mean{stroke:#8cc4ff}.dot{fill:#8cc4ff}}
      </style>
      """;

  private final WindowSeries series;
  private final TimeText times;
  private final Scale scale;
  private final StringBuilder svg = new StringBuilder();

  private SvgPlot(WindowSeries series, ZoneId zone, Band all) {
    this.series = series;
    this.times = new TimeText(zone);
    this.scale = Scale.over(all);
  }

  /**
   * Overwrites the file.
   *
   * @throws IllegalArgumentException if no window has a value
   */
  public static void write(Path file, WindowSeries series, ZoneId zone) throws IOException {
    Files.write(file, of(series, zone).getBytes(UTF_8));
  }

  /** The picture as text; errors as in {@link #write}. */
  static String of(WindowSeries series, ZoneId zone) {
    Band all = series.all();
    if (all == null) {
      throw new IllegalArgumentException("no window of " + series.sensorId() + " has a value");
    }
    SvgPlot plot = new SvgPlot(series, zone, all);
    plot.open();
    plot.grid();
    plot.curves();
    plot.svg.append("</svg>\n");
    return plot.svg.toString();
  }

  private void open() {
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d">
        """
            .formatted(WIDTH, HEIGHT));
    svg.append(STYLE);
    svg.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    Band all = series.all();
    text(LEFT, 24, "class=\"title\"", series.sensorId());
    text(
        LEFT,
        44,
        "",
        "%s in %s of %s, %s to %s; min %s, mean %s, max %s"
            .formatted(
                Numbers.counted(series.readings(), "reading"),
                Numbers.counted(series.windows().size(), "window"),
                Numbers.spoken(Duration.ofMillis(series.windowMs())),
                times.full(series.startMs()),
                times.full(series.endMs()),
                scale.label(all.min()),
                scale.label(all.mean()),
                scale.label(all.max())));
  }

  private void grid() {
    for (int i = 0; i <= VALUE_TICKS; i++) {
      double value = scale.value(i / (double) VALUE_TICKS);
      double y = y(value);
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>%n",
              LEFT,
              WIDTH - RIGHT,
              y,
              y));
      text(LEFT - 8, y + 4, "text-anchor=\"end\"", scale.label(value));
    }
    long span = series.endMs() - series.startMs();
    for (int i = 0; i <= TIME_TICKS; i++) {
      long ms = series.startMs() + span * i / TIME_TICKS;
      String anchor = i == 0 ? "start" : i == TIME_TICKS ? "end" : "middle";
      text(x(ms), HEIGHT - BOTTOM + 22.0, "text-anchor=\"" + anchor + "\"", times.tick(ms, span));
    }
  }

  private record Point(double x, Band band) {}

  private void curves() {
    int stretches = (int) Math.min(MOST_STRETCHES, series.slots());
    List<Band> bands = series.bands(stretches);
    List<Point> run = new ArrayList<>();
    for (int i = 0; i < stretches; i++) {
      if (bands.get(i) == null) {
        curve(run);
        run.clear();
      } else {
        double at = LEFT + (i + 0.5) / stretches * (WIDTH - LEFT - RIGHT);
        run.add(new Point(at, bands.get(i)));
      }
    }
    curve(run);
  }

  /** Draws consecutive windows without a gap. */
  private void curve(List<Point> run) {
    if (run.isEmpty()) {
      return;
    }
    StringBuilder area = new StringBuilder();
    StringBuilder line = new StringBuilder();
    for (Point point : run) {
      append(area, point.x, point.band.max());
      if (Double.isFinite(point.band.mean())) {
        append(line, point.x, point.band.mean());
      }
    }
    for (int i = run.size() - 1; i >= 0; i--) {
      append(area, run.get(i).x, run.get(i).band.min());
    }
    svg.append("<polygon class=\"range\" points=\"").append(area).append("\"/>\n");
    if (run.size() == 1) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>%n",
              run.get(0).x,
              y(run.get(0).band.mean())));
    } else {
      svg.append("<polyline class=\"mean\" points=\"").append(line).append("\"/>\n");
    }
  }

  private void append(StringBuilder points, double x, double value) {
    points.append(
        String.format(Locale.ROOT, points.length() == 0 ? "%.1f,%.1f" : " %.1f,%.1f", x, y(value)));
  }

  private double x(long ms) {
    double part = (ms - series.startMs()) / (double) (series.endMs() - series.startMs());
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - scale.place(value) * (HEIGHT - BOTTOM - TOP);
  }

  private void text(double x, double y, String attributes, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>%n",
            x,
            y,
            attributes,
            SvgScreen.escaped(text)));
  }
}
