package io.weir.cli;

import io.weir.app.ConfigException;
import io.weir.app.Keys;
import io.weir.app.StartRefusedException;
import io.weir.app.WeirConfig;
import io.weir.edge.CloseReport;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.text.ReadingTextReader;
import io.weir.text.RejectsWriter;
import io.weir.text.TextForm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir edge}: a gateway that reads text. */
@Command(
    name = "edge",
    description = "A gateway: readings from files or standard input to the readings topic.",
    footer = {
      "",
      "Readings are CSV with the header sensor_id,timestamp_ms,value[,quality], JSON lines with",
      "those names, or InfluxDB's line protocol; gzip is understood. A bad line does not stop",
      "the rest. Ends with its input, when all is acknowledged; Ctrl-C sends what was read.",
      "Exit status: 0 all acknowledged, 1 not, or no line was a reading, 2 wrong usage.",
      "Another form of file: weir sniff FILE says what to type; docs/your-file.md.",
      "",
      "Examples:",
      "  weir edge readings.csv.gz --rejects bad-lines.csv",
      "  tail -F sensors.jsonl | weir edge --gateway-id line-7",
      "  telegraf --config t.conf | weir edge --format line --sensor-id '{tag:host}/{field}'"
    })
final class EdgeCommand implements Callable<Integer>, ConfigOptions.Configured {
  private static final Duration LAST_SENDS = Duration.ofSeconds(30);

  private final ConfigOptions configOptions =
      new ConfigOptions(
          Keys.BOOTSTRAP_SERVERS,
          Keys.SCHEMA_REGISTRY_URL,
          Keys.TOPIC_READINGS,
          Keys.GATEWAY_ID,
          Keys.BATCH_MAX_READINGS,
          Keys.FLUSH_INTERVAL,
          Keys.QUEUE_CAPACITY,
          Keys.SUSPEND_THRESHOLD_PERCENT,
          Keys.SPOOL_DIR,
          Keys.EDGE_HTTP_PORT,
          Keys.LOG_FORMAT);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Files in their order, - for standard input (-).")
  private List<String> files = List.of("-");

  @Mixin private TextOptions textOptions;

  @Option(names = "--rejects", paramLabel = "FILE", description = "Where bad lines are written.")
  private Path rejectsFile;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() throws IOException {
    QuietKafka.unlessAsked();
    WeirConfig config = configOptions.load();
    TextForm form = textOptions.form();
    PrintWriter err = spec.commandLine().getErr();
    StopSignal stop = StopSignal.install(() -> {});
    try (ReadingTextReader reader =
            ReadingTextReader.open(
                files, StoppableInput.pipes(System.in, stop::isStopped), form, config.limits());
        RejectsWriter rejects = rejectsFile == null ? null : RejectsWriter.open(rejectsFile);
        EdgeWatch watch = new EdgeWatch(config);
        ReadingPublisher publisher = start(config, err, watch)) {
      TextFeed feed =
          new TextFeed(reader, publisher, Optional.ofNullable(rejects), note -> say(err, note));
      FeedProgress progress = new FeedProgress(feed, err, () -> System.nanoTime() / 1_000_000);
      feed.run(stop::isStopped, progress::tick);
      CloseReport report = publisher.close(LAST_SENDS);
      err.printf(
          Locale.ROOT,
          "%,d readings acknowledged, %,d not, %,d bad lines%n",
          Math.max(0, feed.accepted() - report.unsentReadings()),
          report.unsentReadings(),
          feed.bad());
      TextSummary.print(reader, err);
      if (feed.accepted() == 0 && feed.bad() > 0 && !stop.isStopped()) {
        throw new StartRefusedException(TextSummary.nothingGood(reader, files));
      }
      return report.complete() ? 0 : Failures.FAILED;
    }
  }

  private static void say(PrintWriter err, String note) {
    err.println("weir edge: " + note);
    err.flush();
  }

  private static ReadingPublisher start(WeirConfig config, PrintWriter err, EdgeWatch watch)
      throws IOException {
    try {
      return ReadingPublisher.start(settings(config, err), watch.registry());
    } catch (UncheckedIOException e) {
      throw new IOException("weir.spool.dir: " + e.getCause().getMessage(), e);
    }
  }

  private static PublisherSettings settings(WeirConfig config, PrintWriter err) {
    if (config.edge().spoolDir().isPresent() && config.edge().gatewayId().isEmpty()) {
      throw new ConfigException(
          "weir.spool.dir is set and weir.gateway.id is not; what is kept goes on under one id");
    }
    return Publishers.settings(config, config.edge().gatewayId().orElseGet(() -> ownId(err)));
  }

  /** Processes that share an id fence each other, so the host's name alone is not enough. */
  static String ownId(PrintWriter err) {
    String id = hostName() + "-" + ProcessHandle.current().pid();
    err.printf(
        "weir: no gateway id is set, so this run is '%s'; --gateway-id NAME gives it a name that"
            + " is its own and stays%n",
        id);
    err.flush();
    return id;
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "edge";
    }
  }
}
