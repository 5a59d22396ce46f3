package io.weir.lab.chaos;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.RulesFile;
import io.weir.internal.alarm.StatusPlan;
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

  /** One rule less, one of another priority, one more. */
  private static final String EDITED =
      TEXT.replaceAll("(?m)^.*name: cold.*\\n", "").replace("priority: 0", "priority: 2")
          + "  - {name: warm, sensors: \"*\", high: 2000, deadband: 100}\n";

  private ChaosRules() {}

  /** The same file for all applications; as it is, where there is one. */
  static Path writeTo(Path dir) {
    Path file = dir.resolve(FILE);
    if (!Files.exists(file)) {
      edit(dir, 0);
    }
    return file;
  }

  private static String text(int version) {
    return version % 2 == 0 ? TEXT : EDITED;
  }

  /** Writes the file of that many edits. */
  static void edit(Path dir, int version) {
    try {
      Files.writeString(dir.resolve(FILE), text(version));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the applications are to say after so many edits, for the oracle. */
  static StatusPlan plan(int version) {
    long windowMs = ChaosSettings.WINDOW_SIZE.toMillis();
    return new StatusPlan(
        true,
        SILENT_AFTER.toMillis(),
        RulesFile.parse(FILE, text(version), windowMs),
        windowMs,
        GroupTemplate.DEFAULT);
  }
}
