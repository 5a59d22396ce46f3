package io.weir.lab.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.WeirConfig;
import io.weir.lab.Balance;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.FleetSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoRunTest {
  private static final Duration DURATION = Duration.ofSeconds(14);

  @TempDir Path stateDir;

  @Test
  void demo_withEveryFault_endsWithNothingMissing() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PlainLines view = new PlainLines(new PrintStream(said, true, StandardCharsets.UTF_8));
    FleetSettings fleet = new FleetSettings(1, 300, 3000, DURATION, 900_000);
    Balance balance;
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        DemoPostgres postgres = new DemoPostgres()) {
      WeirConfig config = config(kafka, postgres);
      balance =
          new DemoRun(config, fleet, DURATION, () -> false, view, Optional.of(postgres), true)
              .run();
    }

    String text = said.toString(StandardCharsets.UTF_8);
    assertThat(balance.missing()).as(text).isZero();
    assertThat(balance.inWindows()).isPositive();
    assertThat(balance.late()).isPositive();
    assertThat(balance.rejected()).isPositive();
    assertThat(balance.duplicates()).isPositive();
    assertThat(balance.toString())
        .matches(
            "balance: offered \\d+ = in windows \\d+ \\+ late \\d+ \\+ rejected \\d+"
                + " \\+ duplicates \\d+, missing 0");
    assertThat(text)
        .containsPattern("late readings  +http://127\\.0\\.0\\.1:\\d+/#/refused\\?kind=late")
        .containsPattern(
            "no numbers  +http://127\\.0\\.0\\.1:\\d+/#/refused\\?reason=INVALID_VALUE");
    // A slow machine may not reach the faults that come last.
    assertThat(text).contains(" is well again: ", "done");
    assertThat(text).contains(", active alarms ", " folds");
    assertThat(text)
        .contains(
            "readings; the topic has %,d readings".formatted(balance.inWindows()),
            "windows of %,d readings".formatted(balance.inWindows()),
            "SELECT sensor_id, window_start, count,");
    for (int machine = 1; machine <= 5; machine++) {
      assertThat(text).contains("\n machine-" + machine + "/temperature  ");
    }
  }

  private WeirConfig config(EmbeddedKafka kafka, DemoPostgres postgres) {
    Map<String, String> options =
        new HashMap<>(DemoEvents.settings(stateDir, System.currentTimeMillis()));
    options.putAll(postgres.settings());
    options.putAll(
        Map.of(
            "serve.listen", "127.0.0.1:0",
            "bootstrap.servers", kafka.bootstrapServers(),
            "application.id", "weir-demo-test",
            "state.dir", stateDir.toString(),
            "window.size", "2s",
            "window.grace", "1s",
            "idle.timeout", "1s"));
    return WeirConfig.of(new Properties(), Map.of(), options);
  }
}
