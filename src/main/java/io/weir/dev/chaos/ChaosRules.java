package io.weir.dev.chaos;

import io.weir.alarm.GroupTemplate;
import io.weir.alarm.RulesFile;
import io.weir.alarm.StatusPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Status of sensors in a run: rules of every kind, which the load's values cross all the time. */
final class ChaosRules {
  /** Shorter than the shortest time for which sensors are remembered. */
  static final Duration SILENT_AFTER = Duration.ofSeconds(5);

  private static final String FILE = "rules.yaml";

  private static final String TEXT =
      """
      rules:
        - {name: hot, sensors: "*", high: 1000, high-high: 50000, deadband: 900, priority: 0}
        - {name: cold, sensors: "g?/*", low: -1000, deadband: 500, on-delay: 4s}
        - {name: odd, sensors: "*", deviation: {of: mean, baseline: 40s, sigmas: 1}}
        - {name: odd-peak, sensors: "*1", deviation: {of: max, baseline: 30s, sigmas: 2, at-least: 3}}
        - {name: quiet, sensors: "*", silent-after: 4s}
        - {name: quieter, sensors: "*2", silent-after: 7s, priority: 1}
      """;

  private ChaosRules() {}

  /** The same file for all applications. */
  static Path writeTo(Path dir) {
    try {
      return Files.writeString(dir.resolve(FILE), TEXT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the applications are to say, for the oracle. */
  static StatusPlan plan() {
    long windowMs = ChaosSettings.WINDOW_SIZE.toMillis();
    return new StatusPlan(
        true,
        SILENT_AFTER.toMillis(),
        RulesFile.parse(FILE, TEXT, windowMs),
        windowMs,
        GroupTemplate.DEFAULT);
  }
}
