package io.weir.lab.cli;

import io.weir.cli.QuietKafka;
import io.weir.cli.Weir;
import io.weir.cli.output.Results;
import io.weir.edge.Compression;
import io.weir.lab.bench.Bench;
import io.weir.lab.bench.BenchJson;
import io.weir.lab.bench.BenchPlan;
import io.weir.lab.bench.BenchResults;
import io.weir.lab.bench.BenchScale;
import io.weir.lab.bench.BenchSetup;
import io.weir.lab.bench.BenchTable;
import io.weir.lab.bench.CollectBench;
import io.weir.lab.bench.Fleet;
import io.weir.lab.bench.ImportBench;
import io.weir.lab.bench.Peers;
import io.weir.lab.bench.SinkBench;
import io.weir.lab.bench.StageShares;
import io.weir.lab.bench.Subject;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench}: Weir beside a bare consumer loop and a DSL pipeline. */
@Command(
    name = "bench",
    description = "Measure Weir against a plain consumer loop and a Kafka Streams DSL pipeline.",
    footer = {
      "",
      "Everything runs in turn, round after round, on one broker, each measured thing in a",
      "process of its own. Loads are generated first, and the beginning of every run is",
      "warm-up. Other load of the machine changes the figures: compare figures",
      "of one run. Takes some 50 minutes, and 5 GiB in the directory for temporary files.",
      "",
      "Examples:",
      "  weir bench --quick                      about 5 minutes",
      "  weir bench --json figures.json          every figure of every round",
      "  weir bench --load none --recording a.csv.gz b.csv.gz    only their size on the topic",
      "  weir bench --load fleet --sensors 20000 --period 1s --rounds 1    what a fleet costs",
      "  weir bench --load rest --rounds 1       memory without sensors",
      "  weir bench --load rollups --rounds 5    what rollups cost",
      "  weir bench --load signed --rounds 5     what signatures cost",
      "  weir bench --load events --quick        status and rules, folds, timers",
      "  weir bench --load sink --quick          weir sink beside COPY and INSERT",
      "  weir bench --load sink,collect --quick  and weir collect",
      "  weir bench --load import --quick        weir import beside a bare loop",
      "  weir bench --load hot --hot-rate 1000000    one sensor in one partition, and its"
          + " neighbours",
      "  weir bench --load dense_row --subject WEIR,FLINK,FLINK_CHAINED   Flink in the same run",
      "  weir bench --load dense_row --rounds 5 --against ../before/target/classes",
      "  weir bench --stages profile.collapsed   where the time of a profile went"
    })
final class BenchCommand implements Callable<Integer> {
  private static final int DEFAULT_THREADS = 2;
  private static final String SINK = "sink";
  private static final String COLLECT = "collect";
  private static final String IMPORT = "import";
  private static final List<String> POSTGRES = List.of(SINK, COLLECT);
  private static final long LEAST_ROWS = 20_000;
  private static final long MOST_ROWS = 100_000_000;
  private static final int HOT_NEIGHBOURS = 2_000;

  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "Measure less, in about 5 minutes.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Where every figure is written.")
  private Path json;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (3, quick 2).")
  private Integer rounds;

  @Option(
      names = "--readings",
      paramLabel = "N",
      description = "Readings of each load; dense and columnar it has twice as many.")
  private Long readings;

  @Option(names = "--threads", paramLabel = "N", description = "Threads of Weir (2).")
  private int threads = DEFAULT_THREADS;

  @Option(
      names = "--load",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Only these: dense_row, wide_columnar, publish, close and so on;",
        "only where they are named: rollups, the dense load without and with 1m,1h,1d;",
        "signed, the dense load without signatures, and signed and verified;",
        "events, status and rules, folds beside the DSL, handlers, and timers that come due;",
        "fleet, paced by the clock, with Weir, with weir.latest and without Weir (WEIR,"
            + " WEIR_LATEST, OFF); hot, one sensor in one"
            + " partition as fast as it goes,",
        "then a fleet without and with such a sensor beside it.",
        "rest, the memory of Weir with all partitions and no sensors.",
        "sink, weir sink beside COPY and INSERT, and collect, weir collect with a backlog and at",
        "100 rows a second: alone or both, --readings are their rows.",
        "import, weir import of JSON and Avro beside a loop that parses the JSON: alone."
      })
  private List<String> loads = List.of();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      split = ",",
      description = "Only these: ${COMPLETION-CANDIDATES}.")
  private List<Subject> subjects =
      Stream.of(Subject.values()).filter(subject -> !subject.isRival()).toList();

  @Option(
      names = "--peers",
      paramLabel = "DIR",
      description =
          "Where mvn -f src/peers package put Flink, for the subjects FLINK... (${DEFAULT-VALUE}).",
      defaultValue = "target/peers")
  private Path peers;

  @Option(
      names = "--out-of-orderness",
      paramLabel = "DURATION",
      description = {
        "What FLINK... and STREAMS_EXPERT allow a reading to be behind the newest of its",
        "partition (${DEFAULT-VALUE}); with less than 15s they lose readings, and the table says"
            + " how many."
      },
      defaultValue = "15s")
  private Duration outOfOrderness;

  @Option(
      names = "--kill",
      description = {
        "Kill each process once in the middle of its load (as kill -9 does), start it again, and",
        "hold the windows that were committed in all against a plain pass over the readings."
      })
  private boolean kill;

  @Mixin private FleetOptions fleetOptions;

  @Option(
      names = "--hot-rate",
      paramLabel = "N",
      description = "hot: readings a second of the sensor beside the fleet (1000000).")
  private long hotRate = 1_000_000;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description =
          "Compression of the loads and of a fleet's gateways: none, gzip, snappy, lz4, zstd (zstd,"
              + " as the publisher's).")
  private String compression = "zstd";

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = "Classes of another build of Weir, to be measured as well.")
  private Path against;

  @Option(
      names = "--recording",
      paramLabel = "FILE",
      arity = "1..*",
      description = "Readings (CSV, JSON lines, gzip) whose size on the topic is measured.")
  private List<Path> recordings = List.of();

  @Option(
      names = "--stages",
      paramLabel = "FILE",
      description = {
        "Measure nothing: print by stage where the time of a profile of weir run went. FILE has",
        "collapsed stacks with threads, as async-profiler writes them (-t -o collapsed)."
      })
  private Path stages;

  @Override
  public Integer call() throws IOException {
    if (stages != null) {
      printStages();
      return 0;
    }
    if (loads.contains(IMPORT)) {
      measureImport();
      return 0;
    }
    if (loads.contains(SINK) || loads.contains(COLLECT)) {
      measurePostgres();
      return 0;
    }
    BenchPlan plan = plan();
    // Producers meet topics that were just made, and say of each partition that they wait for it.
    QuietKafka.unlessAsked();
    BenchSetup setup =
        new BenchSetup(
            List.of(Weir.class.getName(), "broker", "--port", "0"),
            compression(),
            Optional.ofNullable(against),
            Optional.of(peers),
            outOfOrderness);
    try (Writer file = json == null ? null : Files.newBufferedWriter(json)) {
      BenchResults results = new Bench(plan, setup, spec.commandLine().getErr()).run();
      if (file != null) {
        BenchJson.write(results, file);
      }
      Results out = Results.standard();
      new BenchTable(results).lines().forEach(out::line);
      out.flush();
    }
    return 0;
  }

  private Compression compression() {
    return Stream.of(Compression.values())
        .filter(each -> each.name().equalsIgnoreCase(compression))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    "--compression "
                        + compression
                        + ": expected: none, gzip, snappy, lz4 and zstd"));
  }

  private void printStages() throws IOException {
    if (!Files.isRegularFile(stages)) {
      throw wrong("--stages " + stages + ": no such file");
    }
    Results out = Results.standard();
    StageShares.of(stages).lines().forEach(out::line);
    out.flush();
  }

  private void measurePostgres() throws IOException {
    if (!POSTGRES.containsAll(loads)) {
      throw wrong("--load: sink and collect are measured without others");
    }
    QuietKafka.unlessAsked();
    long wanted = readings == null ? (quick ? 200_000 : 1_000_000) : readings;
    int rows = (int) Math.max(LEAST_ROWS, Math.min(MOST_ROWS, wanted));
    int times = rounds == null ? 3 : rounds;
    Results out = Results.standard();
    if (loads.contains(SINK)) {
      new SinkBench(rows, times).run(spec.commandLine().getErr()).forEach(out::line);
    }
    if (loads.contains(COLLECT)) {
      new CollectBench(rows, times, quick ? 10 : 60)
          .run(spec.commandLine().getErr())
          .forEach(out::line);
    }
    out.flush();
  }

  private void measureImport() {
    if (loads.size() > 1) {
      throw wrong("--load: import is measured without others");
    }
    QuietKafka.unlessAsked();
    long wanted = readings == null ? (quick ? 1_000_000 : 5_000_000) : readings;
    Results out = Results.standard();
    new ImportBench((int) Math.min(MOST_ROWS, wanted), rounds == null ? 3 : rounds)
        .run(spec.commandLine().getErr())
        .forEach(out::line);
    out.flush();
  }

  private BenchPlan plan() {
    if (threads < 1) {
      throw wrong("--threads " + threads + ": expected: 1 or more");
    }
    for (Path recording : recordings) {
      if (!Files.isReadable(recording)) {
        throw wrong("--recording " + recording + ": no such file");
      }
    }
    if (against != null && !Files.isDirectory(against)) {
      throw wrong("--against " + against + ": no such directory");
    }
    if (subjects.stream().anyMatch(Subject::isPeer) && !Peers.areIn(peers)) {
      throw wrong(
          "--peers " + peers + ": no Flink is there; mvn -f src/peers package puts it there");
    }
    try {
      BenchScale scale = quick ? BenchScale.QUICK : BenchScale.FULL;
      scale = readings == null ? scale : scale.withReadings(readings);
      scale = rounds == null ? scale : scale.withRounds(rounds);
      BenchPlan plan =
          BenchPlan.of(
              scale,
              threads,
              group -> loads.isEmpty() || loads.contains(group),
              subjects,
              against != null,
              recordings);
      if (loads.contains(BenchPlan.ROLLUPS)) {
        plan = plan.withRollups();
      }
      if (loads.contains(BenchPlan.SIGNED)) {
        plan = plan.withSigned();
      }
      if (loads.contains(BenchPlan.EVENTS)) {
        plan = plan.withEvents(subjects);
      }
      if (loads.contains(BenchPlan.FLEET)) {
        plan = plan.with(fleetOptions.fleet(Fleet.DEFAULT.sensors()), subjects, against != null);
      }
      if (loads.contains(BenchPlan.REST)) {
        plan = plan.withRest();
      }
      if (loads.contains(BenchPlan.HOT)) {
        plan = plan.withHot(fleetOptions.fleet(HOT_NEIGHBOURS), hotRate);
      }
      if (kill) {
        plan = plan.withKills();
      }
      if (plan.steps().isEmpty()) {
        throw wrong("nothing is left to measure with these --load and --subject");
      }
      return plan;
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
