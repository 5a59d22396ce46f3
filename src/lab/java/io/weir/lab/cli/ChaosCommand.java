package io.weir.lab.cli;

import io.weir.cli.QuietKafka;
import io.weir.cli.output.Results;
import io.weir.lab.TemporaryDirectory;
import io.weir.lab.chaos.ChaosReport;
import io.weir.lab.chaos.ChaosRun;
import io.weir.lab.chaos.ChaosSettings;
import io.weir.lab.chaos.FaultKind;
import io.weir.lab.chaos.HostileReport;
import io.weir.lab.chaos.HostileRun;
import io.weir.lab.chaos.HostileSettings;
import io.weir.lab.chaos.PlantedBug;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir chaos}: faults by seed, compared with an oracle. */
@Command(
    name = "chaos",
    description =
        "Kill processes, cut links, set clocks wrong, by seed; check that every window is exact.",
    footer = {
      "",
      "Starts brokers, applications and gateways in processes of their own, plays the faults of",
      "the seed's plan, and holds everything on the topics against an oracle and against the",
      "gateways' ledgers. The plan depends on the seed, the kinds and the minutes alone.",
      "Exit status 0 only if everything was exact; otherwise the logs and ledgers are kept.",
      "A run that is interrupted ends at once, with all its processes and without a verdict.",
      "Needs about 3 GiB of memory, and some 40 bytes on disk for each reading.",
      "",
      "Faults of applications: app-kill, failover, zombie, state-wipe, rolling-restart,",
      "  silence (no traffic, one is frozen and replaced, then thawed), recycle (tasks change",
      "  hands while commits fail; at least one standby), app-oom, edit-rules (all are stopped,",
      "  the rules file is edited, all are started);",
      "of brokers: broker-kill, disk-full (no file grows until it has ended), broker-clock (wrong by up to",
      "  25 minutes, leaders moved);",
      "of the network: cut, half-open, delay, leader-away (a broker out of reach for minutes);",
      "of gateways: gateway-resume, gateway-new-boot, gateway-empty, gateway-oom, skew, idle,",
      "  poison, forget (sensors and gateways are silent for longer than they are remembered);",
      "of operators: redrive (now and then killed);",
      "with --events, of weir events and of handlers: events-kill, events-wipe, events-zombie,",
      "  events-restart; send-events (short runs of weir send events beside one on a pipe);",
      "with --postgres: sink-kill, sink-zombie, collector-kill, collector-zombie,",
      "  collector-failover, postgres-kill, backend-kill (backends of one of both programs are",
      "  terminated); of others on the database: dump (its locks), long-reader, slow-disk,",
      "  rows-refused (a trigger raises for some rows; weir sink --replay-rejects afterwards);",
      "with --import, of weir import: import-kill, import-zombie, import-restart; of its topic:",
      "  import-grow (a partition more), import-remake (deleted and made again).",
      "Only where they are named: broker-clock-days (wrong by hours to days), hostile:N (a stolen",
      "credential), reset (of the applications, to another id), delete-records (unread ones), refusal (last of all: topics reconfigured, deleted or recreated; each has to",
      "end the applications, and to keep them from starting).",
      "hostile alone and without a number is another run: each part of a record at its limits,",
      "alone and in pairs, against run, events, edge, tail, doctor, serve, import with small heaps that end",
      "when memory does; with --postgres also rows of the outbox, against sink and collect. A line",
      "an attack says which process ended and how long a neighbour's windows took; exit status 0",
      "only if none ended and none took 10 s. With --minutes as many as fit, drawn by the seed.",
      "With --events N there are producers of events and timers too, windows of groups, and a",
      "program with handlers, some of which fail; the oracle computes again from the topics each",
      "fold, each event that came due, each summary of a group, and each call: none is lost,",
      "doubled, early or wrong. Each line of a run of weir send events is there once.",
      "With --postgres there is a PostgreSQL with two weir sink and two weir collect on it, in a",
      "schema of their own, with columns, an index and triggers of others on the tables, and",
      "applications that insert into its outbox; the tables must be what the topics say last, bit",
      "for bit, and each committed row a reading, once.",
      "With --import, each committed record of the topic is a reading, skipped or a dead letter, once.",
      "Alone, leader-away may make other partitions 5 times as slow, and hostile may delay no",
      "other gateway by 10 s.",
      "Each may be limited in number; the run ends when all that were asked for have happened.",
      "",
      "Examples:",
      "  weir chaos --seed 42 --minutes 10",
      "  weir chaos --seed 7 --minutes 60 --faults app-kill:200 --rate 8000",
      "  weir chaos --seed 7 --minutes 60 --faults failover:100 --session 15s --standbys 1",
      "  weir chaos --seed 7 --minutes 10 --faults rolling-restart:5",
      "  weir chaos --seed 7 --minutes 10 --events 2 --faults events-kill,broker-kill",
      "  weir chaos --seed 7 --minutes 5 --postgres --faults sink-kill,postgres-kill",
      "  weir chaos --seed 7 --minutes 5 --import --faults import-kill,broker-kill",
      "  weir chaos --seed 7 --minutes 20 --ring 8                    rings come round often",
      "  weir chaos --seed 7 --minutes 10 --old ../before            two versions at once",
      "  weir chaos --seed 7 --postgres --faults hostile",
      "  weir chaos --seed 1 --minutes 2 --bug no-deduplication     must not be exact"
    })
final class ChaosCommand implements Callable<Integer> {
  private static final double DEFAULT_MINUTES = 5;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the plan and the readings (one is chosen and printed).")
  private Long seed;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "Minutes of faults, at the most (5).")
  private Double minutes;

  @Option(
      names = "--pauses",
      paramLabel = "N",
      description =
          "Factor of the pauses between two faults of a kind of process, two transactions of the"
              + " outbox and two events (1). Two cores need about 16 with --events and --postgres, or no"
              + " process lives long enough to do its work.")
  private int pauses = 1;

  @Option(
      names = "--faults",
      paramLabel = "KIND[:N],...",
      split = ",",
      description = "Only these, each at most N times (all).")
  private List<String> faults = List.of();

  @Option(
      names = "--rows",
      paramLabel = "TEXT",
      description = "With hostile alone: only attacks whose line contains it (all).")
  private String rows = "";

  @Option(names = "--brokers", paramLabel = "N", description = "1 or 3 (3).")
  private int brokers = 3;

  @Option(names = "--apps", paramLabel = "N", description = "Processes of weir run (2).")
  private int applications = 2;

  @Option(names = "--gateways", paramLabel = "N", description = "Processes that publish (3).")
  private int gateways = 3;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Readings a second of all gateways (6000).")
  private int rate = 6_000;

  @Option(names = "--sensors", paramLabel = "N", description = "Sensors of all gateways (1500).")
  private int sensors = 1_500;

  @Option(
      names = "--session",
      paramLabel = "DURATION",
      description = "Session timeout of the applications (6s).")
  private Duration session = Duration.ofSeconds(6);

  @Option(names = "--standbys", paramLabel = "N", description = "Copies of the state (0).")
  private int standbys;

  @Option(
      names = "--app-heap",
      paramLabel = "SIZE",
      description = "Heap of each application (320m).")
  private String applicationHeap = "320m";

  @Option(
      names = "--ring",
      paramLabel = "N",
      description =
          "Slots of the rings of changes, 4 to 256, on a changelog that is cleaned all the time"
              + " (as in production).")
  private int ring;

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Processes of weir events, and events and timers for them (0).")
  private int events;

  @Option(names = "--postgres", description = "A PostgreSQL with weir sink and weir collect too.")
  private boolean postgres;

  @Option(
      names = "--import",
      description = "Another team's topic of JSON too, with two processes of weir import.")
  private boolean imports;

  @Option(
      names = "--old",
      paramLabel = "CHECKOUT",
      description =
          "A built checkout of the version before: each second start of a service is of its classes, so"
              + " that both run on the same topics, as in an upgrade and when it is taken back.")
  private Path old;

  @Option(
      names = "--clock",
      paramLabel = "DURATION",
      description =
          "How far the clock of every second process of a service is ahead (0s); needs faketime.")
  private Duration clock = Duration.ZERO;

  @Option(
      names = "--bug",
      paramLabel = "NAME",
      description =
          "Plant one: no-deduplication, doubled-emission, late-dropped, at-least-once,"
              + " replaced-member-speaks, changelog-by-append-time, largest-append-time,"
              + " redrive-without-sequence, attested-over-a-gap, final-amended, status-lost,"
              + " alarms-lost, publisher-wedges, no-start-checks, reset-beside-old, redrive-forced; with --events: events-at-least-once, timers-early,"
              + " fold-doubled, fold-without-times, signature-unchecked, group-part-lost,"
              + " failed-end-leaves-nothing, failed-timer-is-consumed, retry-lost, retry-overtaken,"
              + " send-outside-transaction, senders-share-an-id; with --postgres: cursor-before-delivery,"
              + " sink-offsets-ahead, sink-keeps-first; with --import: import-offsets-outside,"
              + " import-batch-kept, import-letter-without-offset"
              + " (none).")
  private String bug = PlantedBug.NONE.label();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "For data, logs and ledgers, which stay (temporary).")
  private Path keptDir;

  @Override
  public Integer call() throws IOException {
    ChaosSettings settings = settings();
    QuietKafka.unlessAsked();
    PrintWriter err = spec.commandLine().getErr();
    err.println("--seed " + settings.seed() + " gives this plan again");
    Path dir = directory();
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    if (faults.equals(List.of(FaultKind.HOSTILE.label()))) {
      HostileReport report = new HostileRun(hostile(settings), dir, progress).run();
      report.findings().forEach(progress);
      return end(report.lines(), report.isHeld(), dir);
    }
    ChaosReport report = new ChaosRun(settings, dir, progress).run();
    return end(report.lines(), report.isExact(), dir);
  }

  private int end(List<String> lines, boolean good, Path dir) {
    Results out = Results.standard();
    lines.forEach(out::line);
    out.flush();
    if (good && keptDir == null) {
      TemporaryDirectory.delete(dir);
    } else {
      spec.commandLine().getErr().println("data, logs and ledgers are in " + dir);
    }
    return good ? 0 : 1;
  }

  private HostileSettings hostile(ChaosSettings settings) {
    return new HostileSettings(
        settings.seed(),
        postgres,
        true,
        rows,
        Optional.ofNullable(minutes).map(any -> settings.duration()),
        HostileSettings.PROMISED);
  }

  private Path directory() throws IOException {
    if (keptDir == null) {
      return Files.createTempDirectory("weir-chaos-");
    }
    Path dir = Files.createDirectories(keptDir.toAbsolutePath());
    try (Stream<Path> entries = Files.list(dir)) {
      if (entries.findAny().isPresent()) {
        throw wrong("--dir " + keptDir + ": expected: a new or an empty directory");
      }
    }
    return dir;
  }

  private ChaosSettings settings() {
    if (seed == null) {
      seed = new SecureRandom().nextLong();
    }
    double most = minutes == null ? DEFAULT_MINUTES : minutes;
    if (!(most > 0 && most <= 10_000)) {
      throw wrong("--minutes " + most + ": expected: above 0 up to 10000");
    }
    try {
      return ChaosSettings.builder(seed, Duration.ofMillis((long) (most * 60_000)))
          .pauses(pauses)
          .faults(kinds())
          .processes(brokers, applications, gateways)
          .load(rate, sensors)
          .session(session)
          .standbys(standbys)
          .applicationHeap(applicationHeap)
          .ring(ring)
          .events(events)
          .postgres(postgres)
          .imports(imports)
          .bug(bug())
          .before(classPath())
          .clockError(clock)
          .build();
    } catch (IllegalArgumentException e) {
      throw wrong("--" + e.getMessage());
    }
  }

  /** Of the build of {@code --old}; empty without it. */
  private String classPath() {
    if (old == null) {
      return "";
    }
    Path target = old.toAbsolutePath().resolve("target");
    try {
      return String.join(
          File.pathSeparator,
          target.resolve("lab-classes").toString(),
          target.resolve("classes").toString(),
          Files.readString(target.resolve("weir.classpath")).strip());
    } catch (IOException e) {
      throw wrong("--old " + old + ": not a built checkout: start its ./weir once");
    }
  }

  private Map<FaultKind, Integer> kinds() {
    Map<FaultKind, Integer> kinds = new EnumMap<>(FaultKind.class);
    if (faults.isEmpty()) {
      for (FaultKind kind : FaultKind.values()) {
        if (kind.byDefault()
            && (events > 0 || !kind.isOfEvents())
            && (postgres || !kind.isOfPostgres())
            && (imports || !kind.isOfImports())) {
          kinds.put(kind, Integer.MAX_VALUE);
        }
      }
    }
    for (String fault : faults) {
      String[] labelAndNumber = fault.split(":", 2);
      int most = Integer.MAX_VALUE;
      if (labelAndNumber.length == 2) {
        most = positive(labelAndNumber[1], fault);
      }
      try {
        kinds.put(FaultKind.ofLabel(labelAndNumber[0]), most);
      } catch (IllegalArgumentException e) {
        throw wrong("--faults " + fault + ": " + e.getMessage());
      }
    }
    return kinds;
  }

  private int positive(String number, String fault) {
    try {
      int parsed = Integer.parseInt(number);
      if (parsed > 0) {
        return parsed;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong("--faults " + fault + ": expected: a kind, or a kind and a number from 1");
  }

  private PlantedBug bug() {
    for (PlantedBug planted : PlantedBug.values()) {
      if (planted.label().equals(bug)) {
        return planted;
      }
    }
    throw wrong(
        "--bug "
            + bug
            + ": expected: "
            + Arrays.stream(PlantedBug.values())
                .map(PlantedBug::label)
                .collect(Collectors.joining(", ")));
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
