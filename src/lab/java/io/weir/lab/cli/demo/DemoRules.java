package io.weir.lab.cli.demo;

import io.weir.lab.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The rules of the demo's alarms: gateways that go silent, and vibrations at their crest. */
final class DemoRules {
  private static final int CHARACTERS = 20;
  private static final int SECONDS = 60;

  private DemoRules() {}

  /**
   * Writes the file of rules.
   *
   * @param nowMs when the demo starts: signals depend on the time of day
   */
  static Path write(Path directory, long nowMs) {
    String rules =
        """
        rules:
          - name: vibration-high
            sensors: "vib-*"
            high: %.2f
            deadband: 0.2
            priority: 1
          - name: no-signal
            sensors: "*"
            silent-after: 6s
            priority: 3
        """;
    try {
      Path file = directory.resolve("demo-rules.yaml");
      return Files.writeString(file, String.format(Locale.ROOT, rules, limit(nowMs)));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Half of the sensors rise above it within a minute. */
  private static double limit(long nowMs) {
    double[] crests =
        IntStream.range(0, CHARACTERS)
            .mapToDouble(number -> crest(nowMs, (double) number / CHARACTERS))
            .sorted()
            .toArray();
    return crests[CHARACTERS / 2];
  }

  private static double crest(long nowMs, double character) {
    DoubleStream values =
        IntStream.range(0, SECONDS)
            .mapToDouble(second -> Signal.VIBRATION.at(nowMs + second * 1000L, character, 1));
    return values.max().orElseThrow();
  }
}
