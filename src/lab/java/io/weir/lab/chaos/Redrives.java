package io.weir.lab.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code weir redrive} in a process of its own, now and then killed in the middle. One thread. */
final class Redrives {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String HEAP = "128m";

  /** What may be sent again; what was late is late again. */
  private static final List<List<String>> ORDERS =
      List.of(
          List.of("dead-letters"),
          List.of("late"),
          List.of("dead-letters", "--reason=FENCED,STALE_SEQUENCE"),
          List.of("dead-letters", "--returned"));

  private final ChaosStage stage;
  private final Path log;
  private final Map<String, String> keys;

  Redrives(ChaosStage stage) {
    this.stage = stage;
    this.log = stage.dir().resolve("redrive.log");
    this.keys = new ChaosKeys(stage.settings(), stage.dir()).mastersOfReadings();
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
    arguments.add("--application-id=" + stage.lives().applicationId());
    arguments.add("--bootstrap-servers=" + stage.cluster().bootstrapServers());
    arguments.add("--max-future-skew=" + ChaosSettings.MAX_FUTURE_SKEW.toMillis() + "ms");
    try (ChildProcess process =
        ChildProcess.start("io.weir.cli.Weir", HEAP, arguments, keys, log, line -> {})) {
      Waiting.until(killAfter.isZero() ? TIMEOUT : killAfter, () -> !process.isAlive());
    }
  }
}
