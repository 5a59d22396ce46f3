package io.weir.lab.cli;

import io.weir.cli.ConfigOptions;
import io.weir.cli.QuietKafka;
import io.weir.cli.StopSignal;
import io.weir.cli.StoppableInput;
import io.weir.cli.TextOptions;
import io.weir.cli.TextSummary;
import io.weir.cli.output.Results;
import io.weir.cli.plot.Plots;
import io.weir.cli.plot.WindowSeries;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.RejectsWriter;
import io.weir.internal.text.TextLine;
import io.weir.internal.text.WindowColumn;
import io.weir.internal.text.WindowCsvWriter;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.SummaryRows;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir replay}: files through the whole way, and their windows. */
@Command(
    name = "replay",
    description = "Aggregate files of readings: publish, aggregate, write the windows.",
    footer = {
      "",
      "Runs the whole way, publisher, Kafka and topology, on a broker of its own or, with",
      "--bootstrap-servers, on yours, with topics of its own that are removed afterwards.",
      "Every window stays open to amendment: the result does not depend on the order of rows.",
      "Without --out the windows go to standard output: sensor_id, window_start_ms,",
      "window_end_ms, count, sum, min, max, revision. Exit status 1 if no line was a reading.",
      "--plot draws a sensor there instead; weir plot draws from a file that --out wrote.",
      "Another form of file: weir sniff FILE says what to type; docs/files.md.",
      "",
      "Examples:",
      "  weir replay --window-size 60s --out windows.csv --rejects bad.csv readings.csv.gz",
      "  weir replay --rollups 1m,1h --rollups-out rollups.csv --out windows.csv readings.csv",
      "  weir replay --hopping 5m --hopping-out last-5-minutes.csv readings.csv",
      "  weir replay --plot boiler-3/temperature --out windows.csv readings.csv",
      "  cat monday.jsonl tuesday.jsonl | weir replay -",
      "  weir replay --format line --precision s telegraf.out"
    })
final class ReplayCommand implements Callable<Integer>, ConfigOptions.Configured {
  /** Its own broker is there, and answers late where the machine has other work. */
  private static final Map<String, String> PATIENT =
      Map.of(
          "KAFKA_DEFAULT_API_TIMEOUT_MS", "600000",
          "KAFKA_REQUEST_TIMEOUT_MS", "120000",
          "KAFKA_CONSUMER_SESSION_TIMEOUT_MS", "120000",
          "KAFKA_PRODUCER_MAX_BLOCK_MS", "600000",
          "KAFKA_PRODUCER_DELIVERY_TIMEOUT_MS", "600000");

  private final ConfigOptions configOptions =
      new ConfigOptions(
          WindowKeys.WINDOW_SIZE,
          WindowKeys.ROLLUPS,
          WindowKeys.HOPPING,
          WindowKeys.MAX_FUTURE_SKEW,
          Keys.THREADS);

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files in their order, - for standard input.")
  private List<String> files;

  @Option(names = "--out", paramLabel = "FILE", description = "Where the windows are written.")
  private Path out;

  @Option(
      names = "--rollups-out",
      paramLabel = "FILE",
      description = "Where the rollups of all sizes are written.")
  private Path rollupsOut;

  @Option(
      names = "--hopping-out",
      paramLabel = "FILE",
      description = "Where the hopping windows are written.")
  private Path hoppingOut;

  @Option(names = "--rejects", paramLabel = "FILE", description = "Write bad lines to this file.")
  private Path rejectsFile;

  @Option(
      names = "--out-columns",
      paramLabel = "NAME,...",
      description = {
        "More columns for all of these files: bad_count, mean, spread, window_start,",
        "window_end, first_timestamp_ms, first, last_timestamp_ms, last, m2,",
        "standard_deviation, q0.5, q0.9, q0.95, q0.99, uncertain_count,",
        "integral, time_weighted_average, increase, resets."
      })
  private String moreColumns = "";

  @Option(
      names = "--plot",
      paramLabel = "SENSOR",
      description = "Draw min, mean and max of this sensor instead of listing all windows.")
  private String plotted;

  @Mixin private TextOptions textOptions;

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT,...",
      description = "A cluster to use instead of a broker of its own.")
  private String bootstrapServers;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() throws IOException {
    QuietKafka.unlessAsked();
    textOptions.outColumns().ifPresent(names -> moreColumns = names);
    try {
      WindowColumn.parse(moreColumns);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--out-columns " + e.getMessage());
    }
    if (out != null) {
      requireWritable("--out", out);
    }
    requireFile(WindowKeys.ROLLUPS, "--rollups-out", rollupsOut);
    requireFile(WindowKeys.HOPPING, "--hopping-out", hoppingOut);
    if (rejectsFile != null) {
      requireWritable("--rejects", rejectsFile);
    }
    StopSignal stop = StopSignal.install(() -> {});
    ReplayNames names = ReplayNames.random();
    WeirConfig checked = load(names, "unknown:1");
    if (rollupsOut != null && !checked.windows().rollups().isOn()) {
      throw new ParameterException(
          spec.commandLine(), "--rollups-out needs --rollups, as in --rollups 1m,1h");
    }
    if (hoppingOut != null && !checked.windows().hopping().isOn()) {
      throw new ParameterException(
          spec.commandLine(), "--hopping-out needs --hopping, as in --hopping 5m");
    }
    try (ReadingTextReader reader =
            ReadingTextReader.open(
                files,
                StoppableInput.pipes(stop::isStopped),
                textOptions.form(),
                checked.limits(),
                () -> System.currentTimeMillis() + checked.windows().maxFutureSkew().toMillis());
        RejectsWriter rejects = rejectsFile == null ? null : RejectsWriter.open(rejectsFile);
        EmbeddedKafka kafka = cluster(reader, rejects, stop)) {
      String servers = kafka == null ? bootstrapServers : kafka.bootstrapServers();
      WeirConfig config = load(names, servers);
      PrintWriter err = spec.commandLine().getErr();
      try (Replay replay =
          new Replay(
              config,
              WindowColumn.setsOf(WindowColumn.parse(moreColumns)),
              err,
              stop::isStopped,
              kafka != null)) {
        Replay.Result result = replay.run(reader, Optional.ofNullable(rejects));
        write(result);
        replay.summarise();
        if (plotted != null) {
          plot(result.windows());
        }
      }
    }
    return 0;
  }

  private void requireFile(Key<?> key, String option, Path file) {
    if (file != null) {
      requireWritable(option, file);
    } else if (spec.commandLine().getParseResult().hasMatchedOption(key.optionName())) {
      throw new ParameterException(
          spec.commandLine(), "--" + key.name() + " needs " + option + " FILE");
    }
  }

  /** What a file of settings has switched on for others is not made for nobody. */
  private WeirConfig load(ReplayNames names, String servers) {
    Map<String, String> settings = names.settings(servers);
    if (rollupsOut == null) {
      settings.put(WindowKeys.ROLLUPS.name(), WindowKeys.ROLLUPS.defaultText());
    }
    if (hoppingOut == null) {
      settings.put(WindowKeys.HOPPING.name(), WindowKeys.HOPPING.defaultText());
    }
    return configOptions.load(settings, bootstrapServers == null ? PATIENT : Map.of());
  }

  /** A broker of its own, if one is needed, and none before there is a reading for it. */
  private EmbeddedKafka cluster(ReadingTextReader reader, RejectsWriter rejects, StopSignal stop)
      throws IOException {
    try {
      TextLine line = reader.next();
      while (line instanceof TextLine.Bad bad) {
        if (rejects != null) {
          rejects.write(bad);
        }
        line = reader.next();
      }
      if (line instanceof TextLine.Good good) {
        reader.putBack(good);
      } else {
        reader.unitHint(true).ifPresent(hint -> spec.commandLine().getErr().println(hint));
        throw new StartRefusedException(TextSummary.nothingGood(reader, files));
      }
    } catch (InterruptedIOException e) {
      if (stop.isStopped()) {
        throw new StartRefusedException("stopped before the end: no windows were written");
      }
      throw e;
    }
    if (bootstrapServers != null) {
      return null;
    }
    QuietKafka.ofOwnParts();
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "weir replay: starts a Kafka of its own on this machine for the time of the replay");
    err.flush();
    return EmbeddedKafka.start();
  }

  private void write(Replay.Result result) throws IOException {
    SummaryRows summaries = result.windows();
    List<WindowColumn> more = WindowColumn.parse(moreColumns);
    if (rollupsOut != null) {
      WindowCsvWriter.write(rollupsOut, result.rollups().sorted(), more);
    }
    if (hoppingOut != null) {
      WindowCsvWriter.write(hoppingOut, result.hops().sorted(), more);
    }
    if (out != null) {
      WindowCsvWriter.write(out, summaries.sorted(), more);
      return;
    }
    if (plotted != null) {
      return; // Standard output is for the picture.
    }
    Results results = Results.standard();
    results.write(stream -> WindowCsvWriter.write(stream, summaries.sorted(), more));
    results.flush();
  }

  private void plot(SummaryRows summaries) {
    WindowSeries.Collector windows = new WindowSeries.Collector();
    summaries.sorted().forEach(windows);
    WindowSeries series;
    try {
      series = windows.of(plotted);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException("--plot: " + e.getMessage());
    }
    Plots.draw(series, ZoneOffset.UTC, Results.standard());
  }

  /** Better known before the work than after it. */
  private static void requireWritable(String option, Path file) {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw new StartRefusedException(
          option + " = " + file + ": there is no directory " + directory);
    }
    if (Files.isDirectory(file)) {
      throw new StartRefusedException(option + " = " + file + ": that is a directory");
    }
  }
}
