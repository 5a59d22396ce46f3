package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plans against what the engine did for the same load, with the figures of the documentation:
 * entries and summaries, what stands in the changelog, heap. No clock is read.
 */
class PlanMeasuredTest {
  private static final double PERCENT = 25;

  @ParameterizedTest
  @CsvSource({"20000, 1000, 0", "5000, 250, 0", "4000, 1000, 60000"})
  void plan_isWhatTheEngineDoes(int sensors, long periodMs, long latenessMs) throws Exception {
    Plan plan = plan(sensors, periodMs, latenessMs);
    String said = run(sensors, periodMs, latenessMs);

    assertThat(figure(said, "sensors")).isEqualTo(sensors);
    assertThat(figure(said, "entries-a-second"))
        .isCloseTo(plan.changelogEntriesPerSecond(), withinPercentage(PERCENT));
    assertThat(figure(said, "summaries-a-second"))
        .isCloseTo(plan.summariesPerSecond(), withinPercentage(PERCENT));
    assertThat(figure(said, "live-bytes"))
        .isCloseTo(plan.changelogLive(), withinPercentage(PERCENT));
    assertThat(figure(said, "heap-bytes")).isCloseTo(plan.stateBytes(), withinPercentage(PERCENT));
  }

  private static String run(Object... load) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
    command.add("-XX:MarkSweepAlwaysCompactCount=1"); // Garbage that is left in place counts.
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(PlannedLoad.class.getName());
    for (Object number : load) {
      command.add(number.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static double figure(String said, String name) {
    return said.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in: " + said));
  }

  private static Plan plan(int sensors, long periodMs, long latenessMs) {
    PlanInput input =
        new PlanInput(
            sensors * 1000.0 / periodMs,
            sensors,
            periodMs,
            PlannedLoad.WINDOW_MS,
            latenessMs,
            List.of(),
            StatisticsCost.of(Set.of(), 1),
            PlannedLoad.COMMIT_MS,
            1e9,
            1e9,
            1e9,
            1e9,
            1,
            1,
            0,
            1_000,
            2,
            1e9,
            1);
    return new Plan(input, PlanFigures.DEFAULT);
  }
}
