package io.weir.lab.cli.demo;

import io.weir.cli.ConfigOptions;
import io.weir.cli.FilePlay;
import io.weir.cli.LocalSite;
import io.weir.cli.QuietKafka;
import io.weir.cli.StopSignal;
import io.weir.cli.TextOptions;
import io.weir.cli.output.Results;
import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.InputKeys;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.MqttKeys;
import io.weir.internal.app.ServeKeys;
import io.weir.internal.app.SparkplugKeys;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.FleetLedger;
import io.weir.lab.FleetRunner;
import io.weir.lab.FleetSettings;
import io.weir.lab.SimulatedFleet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir up}: all parts in one process. */
@Command(
    name = "up",
    description = "Run everything on this machine: Kafka, windows, an HTTP input and the page.",
    footer = {
      "",
      "Starts a single-node Kafka, makes the topics, and runs weir run, weir edge --listen and",
      "weir serve in one process. Takes readings as InfluxDB does. Data is kept in --data and",
      "used again at the next start. Ctrl-C stops all parts and loses nothing; a kill loses no",
      "reading that was answered. A power failure may: there is one copy.",
      "Publishes each FILE once, with its own timestamps. Detects its form as weir sniff does; if",
      "something is open it says so and ends, and the options of weir edge decide. A file that is",
      "given again at the next start counts again.",
      "--bootstrap-servers uses a cluster that is there instead of a Kafka of its own.",
      "--print-services starts nothing: it prints how the parts run as services of their own.",
      "Exit status: 0 stopped by a signal, 1 failed, 2 wrong usage.",
      "",
      "Examples:",
      "  weir up",
      "  weir up --demo",
      "  weir up --play 60x readings.csv",
      "  weir up --data /var/lib/weir --page 127.0.0.1:9000",
      "  weir up --mqtt tcp://broker:1883 --mqtt-topics 'plant/#'",
      "  weir up --bootstrap-servers kafka-0:9092"
    })
public final class UpCommand implements Callable<Integer>, ConfigOptions.Configured {
  /** Means the Kafka of this process. */
  private static final String EMBEDDED = "embedded:9092";

  private static final String WRITERS = "InfluxDB v1 and v2, Prometheus remote write, OTLP";
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final Duration CYCLE = Duration.ofSeconds(24);
  private static final Duration BEYOND_THE_SKEW = Duration.ofMinutes(10);

  private final ConfigOptions configOptions =
      new ConfigOptions(
              Keys.BOOTSTRAP_SERVERS,
              Keys.APPLICATION_ID,
              WindowKeys.WINDOW_SIZE,
              WindowKeys.WINDOW_GRACE,
              WindowKeys.ALLOWED_LATENESS,
              WindowKeys.STATISTICS,
              WindowKeys.ROLLUPS,
              WindowKeys.HOPPING,
              WindowKeys.IDLE_TIMEOUT,
              EventKeys.RULES_FILE,
              EdgeKeys.GATEWAY_ID,
              InputKeys.CLIENTS_FILE,
              MqttKeys.TOPICS,
              MqttKeys.PAYLOAD,
              SparkplugKeys.GROUPS,
              ServeKeys.CLIENTS_FILE,
              Keys.THREADS,
              Keys.LOG_LEVEL)
          .withDefault(Keys.BOOTSTRAP_SERVERS, EMBEDDED)
          .withDefault(WindowKeys.ROLLUPS, "1m,1h")
          .withDefault(WindowKeys.IDLE_TIMEOUT, "5s")
          .withDefault(EventKeys.STATUS, "true")
          .withDefault(EdgeKeys.GATEWAY_ID, "up")
          .withDefault(InputKeys.LISTEN, "127.0.0.1:8086")
          .withDefault(ServeKeys.LISTEN, "127.0.0.1:8088");

  @Spec private CommandSpec spec;

  @Option(names = "--data", paramLabel = "DIR", description = "Directory of all data (weir-data).")
  private Path data = Path.of("weir-data");

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT,...",
      description = "Where readings are taken (127.0.0.1:8086).")
  private String listen;

  @Option(
      names = "--mqtt",
      paramLabel = "URL,...",
      description = "Read from an MQTT broker too (weir.mqtt.url).")
  private String mqtt;

  @Option(
      names = "--sparkplug",
      paramLabel = "URL,...",
      description = "Read from Sparkplug edge nodes over an MQTT broker too (weir.sparkplug.url).")
  private String sparkplug;

  @Option(
      names = "--page",
      paramLabel = "HOST:PORT",
      description = "Where the page is (127.0.0.1:8088).")
  private String page;

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      description = "Port of the Kafka of this process, 0 for any free one (9092).")
  private int kafkaPort = 9092;

  @Parameters(paramLabel = "FILE", description = "Files of readings to publish once.")
  private List<Path> files = List.of();

  @Option(
      names = "--play",
      paramLabel = "SPEED",
      description = "Publish the files at a multiple of their own pace, such as 60x (max).")
  private String play;

  @Mixin private TextOptions textOptions;

  @Option(names = "--demo", description = "Add a simulated fleet with faults.")
  private boolean demo;

  @Option(
      names = "--print-services",
      description = "Print settings, commands and the chart's values of the parts, and end.")
  private boolean printServices;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() throws IOException {
    if (kafkaPort < 0 || kafkaPort > 65_535) {
      throw new ParameterException(
          spec.commandLine(), "--kafka-port " + kafkaPort + ": expected: 0 to 65535");
    }
    double speed = speed();
    if (printServices) {
      return printServices();
    }
    QuietKafka.unlessAsked();
    DemoCommand.quietUnlessAsked();
    StopSignal stop = StopSignal.install(() -> {});
    FilePlay filePlay =
        FilePlay.of(files, textOptions.given(), speed, stop, spec.commandLine().getErr());
    makeData();
    Map<String, String> own = own();
    try (EmbeddedKafka kafka = isEmbedded(configOptions.load(own)) ? startKafka() : null) {
      if (kafka != null) {
        own.put(Keys.BOOTSTRAP_SERVERS.name(), kafka.bootstrapServers());
      }
      WeirConfig config = configOptions.load(own);
      PrintWriter err = spec.commandLine().getErr();
      try (LocalSite site = LocalSite.start(config, err)) {
        show(config, site);
        watch(config, site, filePlay, stop);
      }
    }
    return 0;
  }

  private int printServices() throws IOException {
    Map<String, String> own = own();
    if (isEmbedded(configOptions.load(own))) {
      own.put(Keys.BOOTSTRAP_SERVERS.name(), "127.0.0.1:" + kafkaPort);
    }
    Results out = Results.standard();
    PrintedServices.lines(configOptions.load(own)).forEach(out::line);
    out.flush();
    return 0;
  }

  private static boolean isEmbedded(WeirConfig config) {
    return servers(config).equals(EMBEDDED);
  }

  private double speed() {
    if (play == null || play.equals("max")) {
      return 0;
    }
    if (!play.matches("[0-9]{1,6}(\\.[0-9]{1,3})?x") || play.matches("[0.]*x")) {
      throw new ParameterException(
          spec.commandLine(),
          "--play " + play + ": expected: a number with x, such as 60x, or max");
    }
    return Double.parseDouble(play.substring(0, play.length() - 1));
  }

  private void watch(WeirConfig config, LocalSite site, FilePlay filePlay, StopSignal stop) {
    FleetRunner fleet = demo ? startFleet(config, page(config, site)) : null;
    CompletableFuture<Void> played =
        CompletableFuture.runAsync(
            () -> play(config, site, filePlay), task -> new Thread(task, "weir-up-play").start());
    try {
      while (!stop.await(LOOK_EVERY)) {
        site.requireAlive();
      }
      played.join();
    } finally {
      if (fleet != null) {
        fleet.close();
      }
    }
  }

  private void play(WeirConfig config, LocalSite site, FilePlay filePlay) {
    try {
      filePlay.run(site.publisher(), config.limits());
    } catch (IOException e) {
      spec.commandLine().getErr().println("weir up: " + e.getMessage());
    }
  }

  private void makeData() throws IOException {
    try {
      Files.createDirectories(data);
    } catch (IOException e) {
      throw new IOException("--data " + data + ": cannot be made: " + e, e);
    }
  }

  private Map<String, String> own() throws IOException {
    Map<String, String> own = new HashMap<>();
    own.put(Keys.STATE_DIR.name(), data.resolve("state").toString());
    own.put(EdgeKeys.SPOOL_DIR.name(), data.resolve("spool").toString());
    put(own, InputKeys.LISTEN, listen);
    put(own, MqttKeys.URL, mqtt);
    put(own, SparkplugKeys.URL, sparkplug);
    put(own, ServeKeys.LISTEN, page);
    if (demo && !printServices) {
      own.put(EventKeys.SILENT_AFTER.name(), "3s");
      own.put(
          EventKeys.RULES_FILE.name(),
          DemoRules.write(data, System.currentTimeMillis()).toString());
      own.put(EventKeys.GROUP.name(), "plant");
    }
    return own;
  }

  private static void put(Map<String, String> own, Key<?> key, String value) {
    if (value != null) {
      own.put(key.name(), value);
    }
  }

  private EmbeddedKafka startKafka() {
    try {
      return EmbeddedKafka.start(
          EmbeddedKafka.Options.DEFAULT.withPort(kafkaPort).withDataDir(data.resolve("kafka")));
    } catch (UncheckedIOException e) {
      throw new StartRefusedException(
          e.getMessage() + "; is weir up running already? --kafka-port and --data name others");
    }
  }

  private static FleetRunner startFleet(WeirConfig config, String page) {
    long aheadMs = config.windows().maxFutureSkew().plus(BEYOND_THE_SKEW).toMillis();
    SimulatedFleet fleet =
        SimulatedFleet.onKafka(
            new FleetSettings(1, 2_000, 20_000, CYCLE, aheadMs),
            System.currentTimeMillis(),
            servers(config),
            config.topics().readings(),
            config.values(),
            new FleetLedger());
    Results out = Results.standard();
    out.line("");
    out.line("The fleet goes wrong on purpose; within " + CYCLE.toSeconds() + " s the page shows:");
    FaultLinks.lines(page, fleet.sensors()).forEach(out::line);
    out.flush();
    return FleetRunner.start(fleet);
  }

  private static String servers(WeirConfig config) {
    return config.kafka().forAdmin().get("bootstrap.servers").toString();
  }

  private static String page(WeirConfig config, LocalSite site) {
    return "http://" + config.serve().host() + ":" + site.pagePort();
  }

  private void show(WeirConfig config, LocalSite site) {
    String input = "http://127.0.0.1:" + site.inputPort();
    String brokers = site.inputBrokers();
    Results out = Results.standard();
    out.line("page       " + page(config, site));
    out.line("write to   " + input + "      " + WRITERS);
    if (!brokers.isEmpty()) {
      out.line("read from  " + brokers);
    }
    out.line("kafka      " + servers(config));
    out.line("try        curl --data-binary 'boiler,line=3 temperature=71.5' " + input + "/write");
    out.line("stop       Ctrl-C (data stays in " + data + ")");
    out.flush();
  }
}
