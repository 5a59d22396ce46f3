package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.cli.plot.Plots;
import io.weir.cli.plot.WindowSeries;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.WindowCsvReader;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir plot}: draws the windows of a sensor. */
@Command(
    name = "plot",
    description = "Draw min, mean and max of a sensor's windows.",
    footer = {
      "",
      "Reads the CSV of weir replay --out and weir tail windows --csv. If a window is in the",
      "file several times, its last line counts.",
      "",
      "Examples:",
      "  weir plot windows.csv --sensor boiler-3/temperature",
      "  weir tail windows --sensor line-7 --latest --csv | weir plot -"
    })
final class PlotCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Windows as CSV, - for standard input.")
  private String file;

  @Option(
      names = "--sensor",
      paramLabel = "ID",
      description = "The sensor; optional if the file has only one.")
  private String sensor;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "Zone of the times shown, Europe/Berlin (UTC).")
  private ZoneId zone = ZoneOffset.UTC;

  @Override
  public Integer call() throws IOException {
    WindowSeries.Collector windows = new WindowSeries.Collector();
    try (InputStream in = Pipes.of(System.in).open(file)) {
      WindowCsvReader.read(file, in, windows);
    }
    WindowSeries series = series(windows);
    Plots.draw(series, zone, Results.standard());
    return 0;
  }

  private WindowSeries series(WindowSeries.Collector windows) {
    try {
      return windows.of(sensor);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(file + ": " + e.getMessage() + " (--sensor)");
    }
  }
}
