package io.weir.lab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Ten rules for all sensors, of every kind; the values of loads, 20 to 25, keep to them. */
final class BenchRules {
  private static final String TEXT =
      """
      rules:
        - {name: hot, sensors: "*", high: 30, deadband: 1}
        - {name: very-hot, sensors: "*", high-high: 35, priority: 1}
        - {name: cold, sensors: "*", low: 15, deadband: 1}
        - {name: very-cold, sensors: "*", low-low: 10, priority: 1}
        - {name: warm-for-long, sensors: "sensor-*", high: 28, on-delay: 30s}
        - {name: cool-for-long, sensors: "sensor-*", low: 18, on-delay: 30s}
        - {name: unusual, sensors: "*", deviation: {of: mean, baseline: 1h, sigmas: 8}}
        - {name: unusual-peak, sensors: "*", deviation: {of: max, baseline: 10m, sigmas: 12, at-least: 3}}
        - {name: silent, sensors: "*", silent-after: 1m}
        - {name: dead, sensors: "*", silent-after: 10m, priority: 0}
      """;

  private BenchRules() {}

  /** Writes them into a directory; returns the file. */
  static Path writeTo(Path directory) {
    try {
      return Files.writeString(directory.resolve("rules.yaml"), TEXT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
