package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.weir.cli.plan.EventsCost.GroupsCost;
import io.weir.cli.plan.PlannedJobs.EventLoad;
import io.weir.cli.plan.PlannedJobs.FoldLoad;
import io.weir.cli.plan.PlannedJobs.GroupLoad;
import io.weir.cli.plan.PlannedJobs.Hopping;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plans against what the engine did for the same load, with the figures of the documentation:
 * entries and summaries, bytes of topics and changelogs, heap. No clock is read.
 */
class PlanMeasuredTest {
  private static final double PERCENT = 25;

  @ParameterizedTest
  @CsvSource({
    "2000, 1000, 0, 0, false",
    "4000, 500, 0, 0, true",
    "2000, 1000, 60000, 0, false",
    "2000, 1000, 0, 30000, false",
    "2000, 1000, 0, 60000, true"
  })
  void plan_isWhatTheEngineDoes(
      int sensorsOfPartition, long periodMs, long latenessMs, long hoppingMs, boolean status)
      throws Exception {
    int sensors = sensorsOfPartition * Plan.PARTITIONS;
    PlannedJobs jobs =
        new PlannedJobs(
            Publishing.DEFAULT,
            hoppingMs == 0 ? Optional.empty() : Optional.of(new Hopping(hoppingMs, sensors)),
            status,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Plan plan = plan(sensors, periodMs, latenessMs, jobs);
    Map<String, Double> measured =
        MeasuredProcess.run(
            PlannedLoad.class,
            sensorsOfPartition,
            periodMs,
            latenessMs,
            hoppingMs,
            status,
            Math.round(input(sensors, periodMs, latenessMs, jobs).betweenCommitsMs()));

    assertThat(measured.get("sensors")).isEqualTo(sensorsOfPartition);
    measured.replaceAll((figure, value) -> value * Plan.PARTITIONS);
    isNear(measured.get("entries-a-second"), plan.changelogEntriesPerSecond());
    isNear(
        measured.get("summaries-a-second"),
        plan.summariesPerSecond() + plan.hopping().summariesPerSecond());
    isNear(measured.get("live-bytes"), plan.changelogLive());
    isNear(measured.get("heap-bytes"), plan.stateBytes());
    if (hoppingMs == 30_000) { // Of 60 s the first windows of the run weigh too much.
      isNear(measured.get("hopping-bytes-a-second"), plan.hopping().changelogBytesPerSecond());
    }
  }

  @Test
  void timers_areAsTheSchedulerKeepsThem() throws Exception {
    int timers = 20_000;
    int fields = 6;
    Map<String, Double> measured =
        MeasuredProcess.run(PlannedEvents.class, "timers", timers, fields);
    double bytes = measured.get("message-bytes");
    // As many a second as there are: so bytes a second are those of all of them.
    EventsCost cost =
        events(new EventLoad(0, timers, bytes, timers, Optional.empty(), Optional.empty(), 1));

    isNear(measured.get("heap-bytes"), cost.stateBytes());
    isNear(measured.get("live-bytes"), cost.changelogLive());
    isNear(
        measured.get("entry-bytes") + measured.get("deletion-bytes"),
        cost.changelogBytesPerSecond());
    isNear(measured.get("topic-bytes"), cost.eventsPerSecond() * cost.eventBytes());
  }

  @Test
  void folds_areAsTheyAreKept() throws Exception {
    int keys = 10_000;
    int fields = 6;
    Map<String, Double> measured = MeasuredProcess.run(PlannedEvents.class, "folds", keys, fields);
    // One event of each key a second, which is a fold as quiet is shorter: all are open.
    FoldLoad folds = new FoldLoad(keys, fields, 999.999, 60_000);
    EventsCost cost =
        events(
            new EventLoad(
                keys,
                0,
                measured.get("message-bytes"),
                0,
                Optional.of(folds),
                Optional.empty(),
                1));

    isNear(measured.get("heap-bytes"), cost.stateBytes());
    isNear(measured.get("live-bytes"), cost.changelogLive());
    isNear(
        measured.get("entry-bytes") + measured.get("deletion-bytes"),
        cost.changelogBytesPerSecond());
    isNear(measured.get("topic-bytes"), cost.eventsPerSecond() * cost.eventBytes());
    isNear(measured.get("folded-bytes"), cost.foldsPerSecond() * cost.foldBytes());
  }

  @Test
  void groups_areAsTheyAreKept() throws Exception {
    int windows = 1_000;
    int sensors = 20;
    Map<String, Double> measured = MeasuredProcess.run(PlannedGroups.class, windows, sensors);
    // A hundred groups, each with nine windows that are kept and one that fills.
    GroupLoad load = new GroupLoad(100, 60_000, 9 * 60_000);
    GroupsCost cost =
        new GroupsCost(input(100 * sensors, 500, 0, PlannedJobs.NONE), PlanFigures.DEFAULT, load);
    double seconds = 600;

    isNear(measured.get("heap-bytes"), cost.heapBytes());
    isNear(measured.get("live-bytes"), cost.changelogLive());
    isNear(
        measured.get("entry-bytes") + measured.get("deletion-bytes"),
        seconds * cost.changelogBytesPerSecond());
    isNear(measured.get("part-topic-bytes"), seconds * cost.partsBytesPerSecond());
    isNear(measured.get("group-topic-bytes"), seconds * cost.groupsBytesPerSecond());
  }

  private static void isNear(double measured, double planned) {
    assertThat(measured).isCloseTo(planned, withinPercentage(PERCENT));
  }

  private static EventsCost events(EventLoad load) {
    return new EventsCost(input(1, 1_000, 0, PlannedJobs.NONE), PlanFigures.DEFAULT, load);
  }

  private static Plan plan(int sensors, long periodMs, long latenessMs, PlannedJobs jobs) {
    return new Plan(input(sensors, periodMs, latenessMs, jobs), PlanFigures.DEFAULT);
  }

  private static PlanInput input(int sensors, long periodMs, long latenessMs, PlannedJobs jobs) {
    return new PlanInput(
        sensors * 1000.0 / periodMs,
        sensors,
        periodMs,
        PlannedLoad.WINDOW_MS,
        latenessMs,
        List.of(),
        StatisticsCost.of(Set.of(), 1),
        2_000,
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
        1,
        jobs);
  }
}
