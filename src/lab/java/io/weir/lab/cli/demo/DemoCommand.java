package io.weir.lab.cli.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.cli.ConfigOptions;
import io.weir.cli.QuietKafka;
import io.weir.cli.SecondInterrupt;
import io.weir.cli.StopSignal;
import io.weir.cli.output.Results;
import io.weir.internal.app.Keys;
import io.weir.internal.app.Logs;
import io.weir.internal.app.ServeKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.app.WindowSettings;
import io.weir.lab.Balance;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.FleetSettings;
import io.weir.lab.TemporaryDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir demo}: everything at once, on this machine, to look at. */
@Command(
    name = "demo",
    description = "Show everything on this machine: Kafka, a fleet with faults, exact windows.",
    footer = {
      "",
      "Starts a Kafka of its own, a simulated fleet whose gateways go wrong on purpose, and",
      "the application, and shows live what becomes of every reading, who falls silent, which",
      "alarms are active, and how their events are folded. Ctrl-C ends it in",
      "order, a second one at once. The last line is on standard output: the balance of all",
      "readings, counted on the topics. Exit status 0 if none is missing. It keeps all that",
      "it counts in memory and on disk until it ends: not made to run for days.",
      "",
      "Examples:",
      "  weir demo",
      "  weir demo --for 30s",
      "  weir demo --postgres",
      "  weir demo --page",
      "  weir demo --sensors 20000 --rate 100000 --window-size 10s"
    })
public final class DemoCommand implements Callable<Integer>, ConfigOptions.Configured {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);
  private static final Duration LONGEST_CYCLE = Duration.ofSeconds(24);
  private static final long MINUTE_MS = 60_000;
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration BEYOND_THE_SKEW = Duration.ofMinutes(10);

  private final ConfigOptions configOptions =
      new ConfigOptions(
              WindowKeys.WINDOW_SIZE,
              WindowKeys.WINDOW_GRACE,
              WindowKeys.ALLOWED_LATENESS,
              WindowKeys.STATISTICS,
              WindowKeys.IDLE_TIMEOUT,
              WindowKeys.MAX_FUTURE_SKEW,
              Keys.THREADS)
          .withDefault(WindowKeys.WINDOW_SIZE, "2s")
          .withDefault(WindowKeys.WINDOW_GRACE, "1s")
          .withDefault(WindowKeys.IDLE_TIMEOUT, "3s");

  @Spec private CommandSpec spec;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "Stop the fleet after that long: 30s, 5m (runs until Ctrl-C).")
  private Duration duration = FOR_EVER;

  @Option(names = "--sensors", paramLabel = "N", description = "How many sensors (2000).")
  private int sensors = 2000;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Readings a second, of all sensors together (20000).")
  private int rate = 20_000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the fleet; the same seed gives the same fleet (1).")
  private long seed = 1;

  @Option(names = "--plain", description = "Lines instead of a live screen, as without a terminal.")
  private boolean plain;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Write the screen as it is at the end as a picture.")
  private Path picture;

  @Option(
      names = "--postgres",
      description =
          "Start a PostgreSQL too: windows into tables, an application's rows out of an outbox;"
              + " prints a SELECT.")
  private boolean withPostgres;

  @Option(
      names = "--page",
      arity = "0..1",
      fallbackValue = "127.0.0.1:8088",
      paramLabel = "HOST:PORT",
      description =
          "Serve the page until the end (127.0.0.1:8088), and print where it has the faults.")
  private String page;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    WeirConfig given = configOptions.load();
    FleetSettings fleet = fleet(given);
    QuietKafka.unlessAsked();
    quietUnlessAsked();
    DemoView terminal = DemoViews.onStandardError(plain, System.getenv());
    DemoView view = picture == null ? terminal : new PicturedView(terminal, picture);
    StopSignal stop = StopSignal.install(() -> SecondInterrupt.endsAtOnce(view::close));
    view.say("starting Kafka, the application and a fleet of " + sensors + " sensors");
    try (TemporaryDirectory state = TemporaryDirectory.create("weir-demo-");
        EmbeddedKafka kafka = EmbeddedKafka.start();
        DemoPostgres postgres = withPostgres ? new DemoPostgres() : null) {
      Map<String, String> decided = decided(kafka, state, given.windows());
      decided.putAll(DemoEvents.settings(state.path(), System.currentTimeMillis()));
      if (postgres != null) {
        decided.putAll(postgres.settings());
      }
      if (page != null) {
        decided.put(ServeKeys.LISTEN.name(), page);
      }
      WeirConfig config = configOptions.load(decided);
      DemoRun run =
          new DemoRun(
              config,
              fleet,
              duration,
              stop::isStopped,
              view,
              Optional.ofNullable(postgres),
              page != null);
      Balance balance = shown(view, run);
      Results out = Results.standard();
      out.line(balance.toString());
      out.flush();
      return balance.isWhole() ? 0 : 1;
    }
  }

  private static Balance shown(DemoView view, DemoRun run) {
    try (view) {
      return run.run();
    }
  }

  private FleetSettings fleet(WeirConfig config) {
    if (duration.compareTo(SHORTEST) < 0) {
      throw new ParameterException(
          spec.commandLine(), "--for " + duration.toMillis() + "ms: expected: 1s or more");
    }
    Duration cycle = duration.compareTo(LONGEST_CYCLE) < 0 ? duration : LONGEST_CYCLE;
    Duration ahead = config.windows().maxFutureSkew().plus(BEYOND_THE_SKEW);
    try {
      return new FleetSettings(seed, sensors, rate, cycle, ahead.toMillis());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
    }
  }

  private static Map<String, String> decided(
      EmbeddedKafka kafka, TemporaryDirectory state, WindowSettings windows) {
    Map<String, String> settings = new HashMap<>();
    settings.put(Keys.BOOTSTRAP_SERVERS.name(), kafka.bootstrapServers());
    settings.put(Keys.APPLICATION_ID.name(), "weir-demo");
    settings.put(Keys.STATE_DIR.name(), state.path().toString());
    long sizeMs = windows.size().toMillis();
    if (!windows.rollups().isOn() && sizeMs < MINUTE_MS && MINUTE_MS % sizeMs == 0) {
      settings.put(WindowKeys.ROLLUPS.name(), "1m");
    }
    return settings;
  }

  /** What goes as it should is seen in the view. */
  static void quietUnlessAsked() {
    if (!Logs.isLevelGiven() && LoggerFactory.getLogger("io.weir") instanceof Logger logger) {
      logger.setLevel(Level.WARN);
    }
  }
}
