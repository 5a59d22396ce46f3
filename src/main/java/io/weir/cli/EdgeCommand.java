package io.weir.cli;

import io.weir.cli.ledger.LedgerFeed;
import io.weir.edge.CloseReport;
import io.weir.edge.DeadLetterWatch;
import io.weir.edge.PublisherSettings;
import io.weir.edge.PublisherStatus;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.InputKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.MqttKeys;
import io.weir.internal.app.Publishers;
import io.weir.internal.app.RegistryKeys;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.SparkplugKeys;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.RejectsWriter;
import io.weir.internal.text.TextForm;
import io.weir.internal.time.MonotonicClock;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir edge}: publishes readings from text. */
@Command(
    name = "edge",
    description = "Publish readings from files or standard input to the readings topic.",
    footer = {
      "",
      "Readings are CSV with the header sensor_id,timestamp_ms,value[,quality], JSON lines with",
      "those names, or InfluxDB's line protocol, plain or gzip. Skips invalid lines. Exits at",
      "the end of the input, after all readings are acknowledged; on SIGINT and SIGTERM it",
      "sends the readings that it has read, for at most 30 s, and prints how many lines were",
      "not delivered.",
      "Exit status: 0 all readings are acknowledged; 1 some are not, the input failed, or no",
      "line was a reading; 2 wrong usage.",
      "Prints refusals of this gateway id if it may read the dead letters.",
      "A file that is sent twice counts twice, unless --ledger records the sent readings.",
      "--ordered promises that each sensor reports in the order of time, and that no other",
      "gateway publishes it: a window is final at the first reading past its end, and older",
      "readings are late. After a crash the promise covers only the batches in --spool-dir;",
      "docs/gateways.md.",
      "--listen receives readings over HTTP until you stop it; docs/inputs.md.",
      "For other file formats, weir sniff FILE prints the options; docs/files.md.",
      "",
      "Examples:",
      "  weir edge readings.csv.gz --rejects bad-lines.csv",
      "  weir edge --ledger plant.ledger monday.csv tuesday.csv    may be run again",
      "  tail -F sensors.jsonl | weir edge --gateway-id line-7",
      "  tail -F sensors.jsonl | weir edge --split vib-1=8 --gateway-id line-7",
      "  tail -F sensors.jsonl | weir edge --ordered --gateway-id line-7 --spool-dir spool",
      "  weir edge --listen 127.0.0.1:8086 --gateway-id line-7 --spool-dir spool",
      "  telegraf --config t.conf | weir edge --format line --sensor-id '{tag:host}/{field}'"
    })
final class EdgeCommand implements Callable<Integer>, ConfigOptions.Configured {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration LAST_SENDS = Duration.ofSeconds(30);

  private final ConfigOptions configOptions =
      new ConfigOptions(
          Keys.BOOTSTRAP_SERVERS,
          Keys.PLANT,
          RegistryKeys.SCHEMA_REGISTRY_URL,
          TopicKeys.name(Topic.READINGS),
          TopicKeys.name(Topic.DEAD_LETTERS),
          EdgeKeys.GATEWAY_ID,
          EdgeKeys.BATCH_MAX_READINGS,
          EdgeKeys.FLUSH_INTERVAL,
          EdgeKeys.QUEUE_CAPACITY,
          EdgeKeys.SUSPEND_THRESHOLD_PERCENT,
          EdgeKeys.SPOOL_DIR,
          EdgeKeys.SPOOL_MAX_BYTES,
          EdgeKeys.SPOOL_FULL,
          EdgeKeys.SPOOL_REPLAY_RATE,
          SigningKeys.KEY_FILE,
          InputKeys.CLIENTS_FILE,
          MqttKeys.TOPICS,
          MqttKeys.PAYLOAD,
          MqttKeys.SENSOR_ID,
          SparkplugKeys.GROUPS,
          SparkplugKeys.HOST_ID,
          SparkplugKeys.SENSOR_ID,
          InputKeys.INFLUX_SENSOR_ID,
          InputKeys.REMOTE_WRITE_SENSOR_ID,
          InputKeys.OTLP_SENSOR_ID,
          EdgeKeys.EDGE_HTTP_PORT,
          Keys.LOG_FORMAT,
          Keys.LOG_LEVEL);

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "Files, read in this order; - for standard input (-).")
  private List<String> given = List.of();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT,...",
      description =
          "Receive InfluxDB writes, Prometheus remote write and OTLP over HTTP, instead of files"
              + " (weir.edge.listen).")
  private String listen;

  @Option(
      names = "--mqtt",
      paramLabel = "URL,...",
      description = "Read from an MQTT broker, instead of files (weir.mqtt.url).")
  private String mqtt;

  @Option(
      names = "--sparkplug",
      paramLabel = "URL,...",
      description = "Read from Sparkplug edge nodes over an MQTT broker (weir.sparkplug.url).")
  private String sparkplug;

  @Mixin private TextOptions textOptions;

  @Option(names = "--rejects", paramLabel = "FILE", description = "Write bad lines to this file.")
  private Path rejectsFile;

  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description =
          "File that records sent readings: a rerun, even after a kill, sends only the rest.")
  private Path ledgerFile;

  @Option(
      names = "--ordered",
      description = {
        "Each sensor reports in the order of time, and no other gateway publishes it: windows are",
        "final without the grace period (weir.ordered)."
      })
  private boolean ordered;

  @Option(
      names = "--split",
      paramLabel = "SENSOR=N",
      description = {
        "Publish a sensor that overloads one partition as SENSOR/1 to SENSOR/N, in turn; repeat"
            + " the",
        "option for each such sensor."
      })
  private List<String> splits = List.of();

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() throws IOException {
    QuietKafka.unlessAsked();
    WeirConfig config = configOptions.load(ownSettings());
    PrintWriter err = spec.commandLine().getErr();
    if (config.input().any()) {
      return listen(config, err, StopSignal.install(() -> {}));
    }
    List<String> files = files();
    TextForm form = textOptions.form();
    StopSignal stop = StopSignal.install(() -> {});
    Map<String, Integer> parts = partsOfSplits();
    if (ledgerFile != null) {
      return sendOnce(config, form, err, stop);
    }
    Refusals refusals = new Refusals(err, "weir edge", "readings");
    long startMs = System.currentTimeMillis();
    StoppablePipes pipes = new StoppablePipes(stop::isStopped);
    try (ReadingTextReader reader = ReadingTextReader.open(files, pipes, form, config.limits());
        RejectsWriter rejects = rejectsFile == null ? null : RejectsWriter.open(rejectsFile);
        EdgeWatch watch = new EdgeWatch(config);
        ReadingPublisher publisher = start(split(builder(config, err, refusals), parts), watch)) {
      watch.show(publisher);
      ConnectNote.watch(publisher, configOptions.servers(), err);
      TextFeed feed =
          new TextFeed(reader, publisher, Optional.ofNullable(rejects), note -> say(err, note));
      LateLook late = new LateLook(config, publisher.bootId(), startMs);
      EdgeEnd end = new EdgeEnd(feed, publisher, config.edge().spool().dir(), refusals, late, err);
      try {
        FeedProgress progress = new FeedProgress(feed, err, MonotonicClock::millis);
        feed.run(stop::isStopped, progress::tick);
      } catch (IOException brokenOff) {
        end.afterFailure();
        throw brokenOff;
      }
      boolean complete = end.afterInput(pipes, stop::isStopped);
      boolean something = feed.bad() > 0 || !files.contains(Pipes.STANDARD_INPUT);
      if (feed.accepted() == 0 && something && !stop.isStopped()) {
        throw new StartRefusedException(TextSummary.nothingGood(reader, files));
      }
      return complete ? 0 : Failures.FAILED;
    }
  }

  private Map<String, String> ownSettings() {
    Map<String, String> own = new HashMap<>();
    if (ordered) {
      own.put(EdgeKeys.ORDERED.name(), "true");
    }
    if (listen != null) {
      own.put(InputKeys.LISTEN.name(), listen);
    }
    if (mqtt != null) {
      own.put(MqttKeys.URL.name(), mqtt);
    }
    if (sparkplug != null) {
      own.put(SparkplugKeys.URL.name(), sparkplug);
    }
    return own;
  }

  private List<String> files() {
    return given.isEmpty() ? List.of(Pipes.STANDARD_INPUT) : given;
  }

  private int listen(WeirConfig config, PrintWriter err, StopSignal stop) throws IOException {
    if (!given.isEmpty() || ledgerFile != null || rejectsFile != null || !splits.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--listen, --mqtt and --sparkplug: expected: no FILE, --ledger, --rejects and --split"
              + " with it");
    }
    Refusals refusals = new Refusals(err, "weir edge", "readings");
    try (EdgeWatch watch = new EdgeWatch(config);
        EdgeInputs inputs = EdgeInputs.of(config);
        ReadingPublisher publisher =
            start(inputs.remembering(builder(config, err, refusals)), watch);
        SparkplugEvents events = SparkplugEvents.start(config, watch.registry())) {
      inputs.start(publisher, config.limits(), watch.registry(), events);
      watch.showInputs(publisher);
      ConnectNote.watch(publisher, configOptions.servers(), err);
      say(err, "takes readings at " + inputs.describe());
      while (!stop.await(LOOK)) {
        inputs.requireAlive();
      }
      inputs.stop();
      CloseReport report = publisher.close(LAST_SENDS);
      if (!report.complete()) {
        say(
            err,
            report.unsentReadings()
                + " readings are stored in "
                + config.edge().spool().dir().orElseThrow()
                + " and sent at the next start");
      }
      refusals.summarize();
      return 0;
    }
  }

  private int sendOnce(WeirConfig config, TextForm form, PrintWriter err, StopSignal stop)
      throws IOException {
    List<String> files = files();
    if (files.contains(Pipes.STANDARD_INPUT) || config.edge().spool().dir().isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--ledger: expected: files as input, and weir.spool.dir unset");
    }
    int batchLimit = config.limits().maxBatchReadings();
    if (batchLimit < LedgerFeed.BATCH_READINGS) {
      throw new ConfigException(
          "weir.max.batch.readings = %d: expected: %d or more with --ledger"
              .formatted(batchLimit, LedgerFeed.BATCH_READINGS));
    }
    String newId = hostName() + "-" + UUID.randomUUID().toString().substring(0, 8);
    try (RejectsWriter rejects = rejectsFile == null ? null : RejectsWriter.open(rejectsFile);
        LedgerFeed feed =
            LedgerFeed.open(
                ledgerFile,
                config.edge().gatewayId(),
                newId,
                id -> Publishers.builder(config, id),
                stop::isStopped)) {
      say(err, "gateway " + feed.gatewayId() + ", ledger " + ledgerFile);
      Refusals refusals = new Refusals(err, "weir edge", "readings");
      PublisherSettings watched = Publishers.build(Publishers.builder(config, feed.gatewayId()));
      try (DeadLetterWatch watch =
          DeadLetterWatch.start(watched, config.topics().deadLetters(), refusals)) {
        EdgeFiles sending = new EdgeFiles(files, form, config.limits(), stop::isStopped, err);
        boolean complete = sending.send(feed, Optional.ofNullable(rejects));
        if (feed.acknowledged() > 0) {
          refusals.lastLook(watch::isReading, stop::isStopped);
        }
        return complete ? 0 : Failures.FAILED;
      } finally {
        refusals.summarize();
      }
    }
  }

  private static void say(PrintWriter err, String note) {
    err.println("weir edge: " + note);
    err.flush();
  }

  private static ReadingPublisher start(PublisherSettings.Builder builder, EdgeWatch watch)
      throws IOException {
    try {
      return watch.start(Publishers.build(builder));
    } catch (UncheckedIOException e) {
      throw new IOException("weir.spool.dir: " + e.getCause().getMessage(), e);
    }
  }

  static PublisherSettings.Builder builder(WeirConfig config, PrintWriter err, Refusals refusals) {
    if (config.edge().spool().dir().isPresent() && config.edge().gatewayId().isEmpty()) {
      throw new ConfigException(
          "weir.spool.dir needs weir.gateway.id: the batches in the directory belong to one"
              + " gateway");
    }
    return Publishers.spooling(config, config.edge().gatewayId().orElseGet(() -> ownId(err)))
        .watchDeadLetters(config.topics().deadLetters(), refusals);
  }

  private static PublisherSettings.Builder split(
      PublisherSettings.Builder builder, Map<String, Integer> parts) {
    parts.forEach(builder::splitInto);
    return builder;
  }

  private Map<String, Integer> partsOfSplits() {
    Map<String, Integer> parts = new HashMap<>();
    for (String split : splits) {
      int equals = split.lastIndexOf('=');
      String number = split.substring(equals + 1);
      if (equals < 1
          || !number.matches("[0-9]{1,2}")
          || Integer.parseInt(number) < 2
          || Integer.parseInt(number) > SensorPartition.COUNT) {
        throw new ParameterException(
            spec.commandLine(), "--split " + split + ": expected: SENSOR=N, N from 2 to 64");
      }
      parts.put(split.substring(0, equals), Integer.parseInt(number));
    }
    if (!parts.isEmpty() && ledgerFile != null) {
      throw new ParameterException(
          spec.commandLine(), "--split and --ledger: expected: one of them");
    }
    return parts;
  }

  /** Processes that share an id fence each other, so the host's name alone is not enough. */
  static String ownId(PrintWriter err) {
    String id = hostName() + "-" + ProcessHandle.current().pid();
    err.printf(
        "weir: no gateway id is set, this run uses '%s'; set a stable and unique one with"
            + " --gateway-id NAME%n",
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

  /** Prints a line if Kafka does not answer within 5 s, long before the clients' timeouts. */
  static final class ConnectNote {
    private static final Duration SOON = Duration.ofSeconds(5);

    private ConnectNote() {}

    /** Checks once, on its own thread. */
    static void watch(ReadingPublisher publisher, String servers, PrintWriter err) {
      Thread thread = new Thread(() -> look(publisher, servers, err), "weir-connect-note");
      thread.setDaemon(true);
      thread.start();
    }

    private static void look(ReadingPublisher publisher, String servers, PrintWriter err) {
      try {
        boolean ready = publisher.awaitReady(SOON);
        if (!ready && publisher.status().state() == PublisherStatus.State.CONNECTING) {
          err.println(of(servers));
          err.flush();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    static String of(String servers) {
      return "weir edge: waiting for an answer from Kafka at "
          + servers
          + " (weir.bootstrap.servers); check the address and that a broker runs there;"
          + " weir broker starts one for tests";
    }
  }
}
