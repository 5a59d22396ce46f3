package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Plans against the arithmetic done by hand. */
class PlanTest {
  private static final double HOUR = 3_600_000;

  private static PlanInput input(double rate, double sensors, double periodMs, int pods) {
    return new PlanInput(
        rate,
        sensors,
        periodMs,
        10_000,
        0,
        List.of(),
        StatisticsCost.of(Set.of(), 10),
        500,
        72 * HOUR,
        8_388_608_000.0,
        720 * HOUR,
        8_388_608_000.0,
        3,
        3,
        0,
        120_000,
        2,
        4L << 30,
        pods,
        PlannedJobs.NONE);
  }

  private static Plan plan(double rate, double sensors, double periodMs) {
    return new Plan(input(rate, sensors, periodMs, 0), PlanFigures.DEFAULT);
  }

  /** The example of docs/results/2026-11-25-sizing.md, 20,000 sensors at 1 Hz. */
  @Test
  void fleet_isAsTheManualReckonsIt() {
    Plan plan = plan(20_000, 20_000, 1_000);

    assertThat(plan.readingsBytesPerSecond()).isCloseTo(666_000, within(1.0));
    assertThat(plan.readingsAtRest()).isCloseTo(172.6e9, within(0.1e9));
    assertThat(plan.retentionHours()).isCloseTo(72, within(1e-9));
    assertThat(plan.windowsBytesPerSecond()).isCloseTo(76_600, within(1.0));
    assertThat(plan.windowsAtRest()).isCloseTo(198.5e9, within(0.1e9));
    assertThat(plan.changelogBytesPerSecond()).isCloseTo(102_000, within(1.0));
    // Ten early commits and twenty others in ten seconds.
    double live = 2.1e6 + 128 * (10.0 / 30) * 20_000 * 15;
    assertThat(plan.changelogLive()).isCloseTo(live, within(1.0));
    assertThat(plan.changelogAtRest()).isCloseTo(2 * live + 600 * 102_000, within(1.0));
    assertThat(plan.stateBytes()).isCloseTo(7.2e6, within(1.0));
    assertThat(plan.threads()).isEqualTo(1);
    assertThat(plan.partitions()).isEqualTo(1);
    assertThat(plan.minReplicas()).isEqualTo(2);
    assertThat(plan.isBeyond()).isFalse();
  }

  /** Of a million sensors at 1 Hz 500 GiB hold 4.5 hours. */
  @Test
  void retention_isWhatBytesHold() {
    assertThat(plan(1e6, 1e6, 1_000).retentionHours()).isCloseTo(4.48, within(0.01));
  }

  @Test
  void threads_areTargetOverMeasuredAndHalf_partitionsAPowerOfTwo() {
    Plan plan = plan(2e6, 500_000, 250);

    assertThat(plan.threadRate()).isCloseTo(550_000, within(1e-3));
    assertThat(plan.threads()).isEqualTo(6); // 2,000,000 / 550,000 x 1.5 = 5.45
    assertThat(plan.partitions()).isEqualTo(8);
    assertThat(plan.pods()).isEqualTo(3);
  }

  @Test
  void threadRate_liesBetweenWideAndDense_byReadingsOfASensorInABatch() {
    assertThat(plan(1e6, 1e6, 6_000).threadRate()).isCloseTo(3_350_000, within(1.0));
    assertThat(plan(1e6, 1e6, 60_000).threadRate()).isCloseTo(3_350_000, within(1.0));
    double three = plan(1e6, 1e6, 3_000).threadRate();
    double dense = 1 / 3_350_000.0;
    double y = (1 / 550_000.0 - dense) * 1.2;
    assertThat(1 / three).isCloseTo(1 / 550_000.0 - y + y / 3, within(1e-12));
  }

  @Test
  void podThatIsLost_leavesItsStateToTheOthers() {
    Plan plan = new Plan(input(1e6, 1e6, 1_000, 4), PlanFigures.DEFAULT);
    double mib = 1 << 20;

    assertThat(plan.heap(4)).isCloseTo(40 * mib + 2 * (90e6 + 164 * mib), within(1.0));
    assertThat(plan.limit(4))
        .isCloseTo((40 * mib + 2 * (360e6 / 3 + 164 * mib)) / 0.7, within(1.0));
  }

  @Test
  void smallestSafeReplicas_holdAllStateWithOneLess() {
    Plan plan = plan(4_000_000, 40e6, 10_000);

    int pods = plan.minReplicas();
    assertThat(plan.limit(pods)).isLessThanOrEqualTo(4L << 30);
    assertThat(plan.limit(pods - 1)).isGreaterThan(4L << 30);
  }

  @Test
  void hundredMillionASecond_isBeyond_andSaysWhatCanBeDone() {
    Plan plan = plan(100e6, 25e6, 250);

    assertThat(plan.isBeyond()).isTrue();
    assertThat(plan.partitions()).isEqualTo(512);
    assertThat(String.join("\n", PlanText.beyond(plan)))
        .contains("512 partitions", "8 cells", "3,125,000 sensors", "12,500,000/s");
    assertThat(plan.cells()).isEqualTo(8);
  }

  @Test
  void text_andJson_haveEveryNumber() throws Exception {
    Plan plan = plan(2e6, 500_000, 1_000);
    JsonNode json = new ObjectMapper().readTree(PlanText.json(plan));
    String text = String.join("\n", PlanText.lines(plan));

    for (PlanItem item : plan.items()) {
      assertThat(json.path(item.key()).asDouble()).isEqualTo(item.value());
      assertThat(text).contains(item.label() + " ").contains(item.how());
    }
    assertThat(json.path("figures").path("reading_bytes").path("source").asText())
        .contains("docs/results/");
  }

  @Test
  void bench_takesThePlaceOfWhatItMeasured_andOfNothingElse() throws Exception {
    JsonNode bench =
        new ObjectMapper()
            .readTree(
                """
            {"plan":{"weir_threads":2,"fleet":{"sensors":1000}},
             "loads":[{"name":"dense_row","sensors":10000},{"name":"wide_row","sensors":1000000}],
             "results":[
              {"group":"dense_row","subject":"loop","readings_per_second":{"median":9e9}},
              {"group":"dense_row","subject":"weir","readings_per_second":{"median":8e6},
               "live_heap_bytes":{"median":40e6}},
              {"group":"wide_row","subject":"weir","readings_per_second":{"median":2e6},
               "live_heap_bytes":{"median":337e6}},
              {"group":"fleet","subject":"weir","topic_bytes_per_reading":{"median":30},
               "windows_bytes":{"median":500},"windows":{"median":10}}]}
            """);
    PlanFigures figures = BenchFigures.of(bench, "f.json", PlanFigures.DEFAULT);

    assertThat(figures.value(Figure.DENSE_READINGS_PER_SECOND)).isEqualTo(4e6);
    assertThat(figures.get(Figure.DENSE_READINGS_PER_SECOND).source())
        .isEqualTo("f.json, dense_row");
    assertThat(figures.value(Figure.WIDE_READINGS_PER_SECOND)).isEqualTo(1e6);
    assertThat(figures.value(Figure.STATE_BYTES_PER_SENSOR))
        .isCloseTo(300, Percentage.withPercentage(0.01));
    assertThat(figures.value(Figure.READING_BYTES)).isEqualTo(30);
    assertThat(figures.value(Figure.WINDOW_BYTES)).isEqualTo(50);
    assertThat(figures.get(Figure.CHANGELOG_ENTRY_BYTES))
        .isEqualTo(PlanFigures.DEFAULT.get(Figure.CHANGELOG_ENTRY_BYTES));
  }

  @Test
  void quantities_areAsTheyAreTyped() {
    assertThat(Quantity.parse("2M/s")).isEqualTo(2e6);
    assertThat(Quantity.parse("1.5k")).isEqualTo(1_500);
    assertThat(Quantity.parse("60k/m")).isEqualTo(1_000);
    assertThat(Quantity.parse("4Gi")).isEqualTo(4L << 30);
    for (String text : List.of("", "0", "-1", "2 M", "2M/d", "many")) {
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> Quantity.parse(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
