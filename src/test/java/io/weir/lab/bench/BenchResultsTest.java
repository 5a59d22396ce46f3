package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BenchResultsTest {
  private static final Cell WEIR = new Cell("dense_row", Subject.WEIR);
  private static final Cell LOOP = new Cell("dense_row", Subject.LOOP);

  private static BenchPlan plan(boolean before) {
    return BenchPlan.of(
        BenchScale.QUICK, 2, group -> true, List.of(Subject.values()), before, List.of());
  }

  private static Figures rate(double perSecond) {
    return Figures.of(Map.of(Figure.READINGS_PER_SECOND, perSecond));
  }

  @Test
  void ratio_isTakenWithinEachRound() {
    BenchResults results = new BenchResults(plan(false), List.of());
    results.add(LOOP, rate(10));
    results.add(WEIR, rate(20));
    results.add(LOOP, rate(1000));
    results.add(WEIR, rate(500));

    assertThat(results.ratio(Figure.READINGS_PER_SECOND, WEIR, LOOP))
        .contains(new Spread(1.25, 0.5, 2));
    assertThat(Ratios.of(results)).containsOnlyKeys("weir_over_loop_dense_row");
  }

  @Test
  void ratioOfWhatOneSideDoesNotTell_isLeftOut() {
    BenchResults results = new BenchResults(plan(false), List.of());
    results.add(LOOP, rate(10).with(Figure.CPU_SECONDS_PER_MILLION, 2));
    results.add(WEIR, rate(20));
    results.add(LOOP, rate(10).with(Figure.CPU_SECONDS_PER_MILLION, 2));
    results.add(WEIR, rate(20).with(Figure.CPU_SECONDS_PER_MILLION, 3));

    assertThat(results.ratio(Figure.CPU_SECONDS_PER_MILLION, WEIR, LOOP))
        .contains(new Spread(1.5, 1.5, 1.5));
    assertThat(results.ratio(Figure.LIVE_HEAP_BYTES, WEIR, LOOP)).isEmpty();
  }

  @Test
  void fullPlan_measuresWhatIsKeptAndEveryLatency() {
    BenchPlan full =
        BenchPlan.of(
            BenchScale.FULL,
            2,
            group -> true,
            List.of(Subject.values()),
            false,
            List.of(Path.of("a.b")));

    assertThat(full.steps())
        .extracting(Step::group)
        .contains(
            "many_row",
            "kept_columnar",
            "publish_at_10k",
            "publish_at_100k",
            "publish_at_1000k",
            "close",
            "a zstd-3");
  }

  @Test
  void quickPlan_measuresBothSidesOfEveryRatioWithATarget() {
    BenchResults results = new BenchResults(plan(false), List.of());
    Figures figures = rate(1).with(Figure.CPU_SECONDS_PER_MILLION, 1);
    results.all().keySet().forEach(cell -> results.add(cell, figures));

    assertThat(Ratios.of(results).keySet())
        .contains(
            "weir_over_loop_dense_columnar",
            "weir_over_loop_dense_row",
            "weir_over_loop_wide_columnar",
            "weir_over_loop_wide_row",
            "weir_over_loop_same_threads_dense_columnar",
            "weir_over_loop_same_threads_dense_row",
            "cpu_weir_over_loop_dense_columnar",
            "cpu_weir_over_loop_dense_row",
            "weir_over_dsl_dense_row",
            "publisher_over_single_sends");
  }

  @Test
  void planWithEvents_measuresBothSidesOfEveryRatioWithATarget() {
    BenchPlan plan =
        BenchPlan.of(
                BenchScale.QUICK, 2, group -> false, List.of(Subject.values()), false, List.of())
            .withEvents(List.of(Subject.values()));
    BenchResults results = new BenchResults(plan, List.of());
    Figures figures = rate(1).with(Figure.CPU_SECONDS_PER_MILLION, 1);
    results.all().keySet().forEach(cell -> results.add(cell, figures));

    assertThat(Ratios.of(results).keySet()).contains("cpu_status_over_none", "fold_over_dsl");
    assertThat(plan.steps())
        .filteredOn(step -> step.subject() == Subject.TIMERS)
        .singleElement()
        .satisfies(step -> assertThat(step.readings()).isEqualTo(1_000_000));
  }

  @Test
  void planWithSigned_measuresBothFormsWithoutAndWithSignatures() {
    BenchPlan plan =
        BenchPlan.of(
                BenchScale.QUICK, 2, group -> false, List.of(Subject.values()), false, List.of())
            .withSigned();
    BenchResults results = new BenchResults(plan, List.of());
    Figures figures = rate(1).with(Figure.CPU_SECONDS_PER_MILLION, 1);
    results.all().keySet().forEach(cell -> results.add(cell, figures));

    assertThat(Ratios.of(results))
        .containsOnlyKeys(
            "signed_over_unsigned_row",
            "cpu_signed_over_unsigned_row",
            "signed_over_unsigned_columnar",
            "cpu_signed_over_unsigned_columnar");
    assertThat(Ratios.targetOf("signed_over_unsigned_row")).isEqualTo("target 0.7 or more");
    assertThat(plan.loads())
        .extracting(Load::name)
        .containsExactly(
            "dense_row", "dense_row_signed", "dense_columnar", "dense_columnar_signed");
  }

  @Test
  void otherBuild_isMeasuredWhereThereIsOne() {
    assertThat(plan(false).steps()).noneMatch(step -> step.subject() == Subject.WEIR_BEFORE);
    assertThat(plan(true).steps()).anyMatch(step -> step.subject() == Subject.WEIR_BEFORE);
  }

  @Test
  void task_asArguments_andBack_isTheSame() {
    Recording recording = new Recording(Path.of("some.csv"), "zstd-9");
    for (Optional<Recording> some : List.of(Optional.<Recording>empty(), Optional.of(recording))) {
      Task task =
          new Task(
              Subject.DSL,
              "127.0.0.1:9",
              "run-00001",
              "bench.x",
              1000,
              300,
              2,
              0,
              60,
              some,
              Duration.ofMillis(2_500),
              Optional.empty());

      assertThat(Task.ofArguments(task.toArguments())).isEqualTo(task);
      Task kept = task.keptIn(Path.of("some", "where"));
      assertThat(kept).isNotEqualTo(task);
      assertThat(Task.ofArguments(kept.toArguments())).isEqualTo(kept);
    }
  }

  @Test
  void json_withoutFigures_isWholeAllTheSame() throws IOException {
    StringWriter json = new StringWriter();

    BenchJson.write(new BenchResults(plan(false), List.of()), json);

    assertThat(json.toString()).contains("\"ratios\" : { }").endsWith("}");
  }
}
