package io.weir.lab.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code weir redrive} in a process of its own, now and then killed in the middle. One thread. */
final class Redrives {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String HEAP = "128m";

  private static final String REFUSED_AGAIN = "--reason=FENCED,STALE_SEQUENCE";

  /** What may be sent again; what was late is late again. */
  private static final List<List<String>> ORDERS =
      List.of(
          List.of("dead-letters"),
          List.of("late"),
          List.of("dead-letters", REFUSED_AGAIN),
          List.of("dead-letters", "--returned"),
          List.of("late", "--reason=WITHHELD", "--returned"));

  private final ChaosStage stage;
  private final Path log;
  private final Map<String, String> keys;

  Redrives(ChaosStage stage) {
    this.stage = stage;
    this.log = stage.dir().resolve("redrive.log");
    this.keys = new ChaosKeys(stage.settings(), stage.dir()).mastersOfReadings();
  }

  /** Runs one of each. */
  void runAll() {
    IntStream.range(0, ORDERS.size()).forEach(order -> run(order, Duration.ZERO));
  }

  /**
   * Runs one.
   *
   * @param killAfter SIGKILL after that time, if it still runs
   */
  void run(int order, Duration killAfter) {
    List<String> arguments = new ArrayList<>();
    arguments.add("redrive");
    arguments.addAll(ORDERS.get(order % ORDERS.size()));
    if (stage.settings().bug() == PlantedBug.REDRIVE_STRIPPED
        && arguments.contains(REFUSED_AGAIN)) {
      arguments.add("--force");
    }
    arguments.add("--application-id=" + stage.lives().applicationId());
    arguments.add("--bootstrap-servers=" + stage.cluster().bootstrapServers());
    arguments.add("--max-future-skew=" + ChaosSettings.MAX_FUTURE_SKEW.toMillis() + "ms");
    try (ChildProcess process =
        ChildProcess.start("io.weir.cli.Weir", HEAP, arguments, keys, log, line -> {})) {
      Waiting.until(killAfter.isZero() ? TIMEOUT : killAfter, () -> !process.isAlive());
    }
  }
}
