package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.plan.EventsCost.GroupsCost;
import io.weir.cli.plan.PlannedJobs.EventLoad;
import io.weir.cli.plan.PlannedJobs.FoldLoad;
import io.weir.cli.plan.PlannedJobs.GroupLoad;
import io.weir.cli.plan.PlannedJobs.Hopping;
import io.weir.cli.plan.PlannedJobs.ImportLoad;
import io.weir.cli.plan.PlannedJobs.InputLoad;
import io.weir.cli.plan.PlannedJobs.Tables;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Hopping windows, status, events, groups and tables against the arithmetic done by hand. */
class PlanJobsTest {
  private static final double HOUR = 3_600_000;
  private static final double MIB = 1 << 20;
  private static final FoldLoad FOLDS = new FoldLoad(1_000, 3, 5_000, 60_000);
  private static final GroupLoad GROUPS = new GroupLoad(500, 60_000, HOUR);
  private static final EventLoad EVENTS =
      new EventLoad(1_900, 100, 140, 1_000_000, Optional.of(FOLDS), Optional.of(GROUPS), 3);

  /** 20,000 sensors at 1 Hz, windows of 10 s, rollups of a minute. */
  private static Plan plan(PlannedJobs jobs, Set<StatisticSet> statistics) {
    PlanInput input =
        new PlanInput(
            20_000,
            20_000,
            1_000,
            10_000,
            0,
            List.of(60_000L),
            StatisticsCost.of(statistics, 10),
            500,
            72 * HOUR,
            TopicLoad.PARTITION_BYTES,
            720 * HOUR,
            TopicLoad.PARTITION_BYTES,
            3,
            3,
            0,
            120_000,
            2,
            4L << 30,
            2,
            jobs);
    return new Plan(input, PlanFigures.DEFAULT);
  }

  private static PlannedJobs all() {
    return new PlannedJobs(
        Publishing.DEFAULT,
        Optional.of(new Hopping(300_000, 5_000)),
        true,
        Optional.of(EVENTS),
        Optional.of(new Tables(90 * 24 * HOUR)),
        Optional.of(new ImportLoad(50_000, 12, 2, 4)));
  }

  private static Plan plan() {
    return plan(all(), Set.of());
  }

  private static EventsCost events(EventLoad load) {
    return new EventsCost(plan().input(), PlanFigures.DEFAULT, load);
  }

  @Test
  void hopping_keepsTheWindowsOfItsLength_andWritesEachOnceMore() {
    HoppingCost hopping = plan().hopping();

    assertThat(hopping.keptWindows()).isEqualTo(29); // 30 windows, less the one that closes
    assertThat(hopping.heapBytes()).isCloseTo(5_000 * (435 + 29 * 119.0), within(1.0));
    assertThat(hopping.summariesPerSecond()).isEqualTo(500);
    assertThat(hopping.topic().bytesPerSecond()).isCloseTo(500 * 38.3, within(1e-6));
    assertThat(hopping.topic().atRest()).isCloseTo(500 * 38.3 * 14 * 86_400, within(1.0));
    assertThat(hopping.changelogBytesPerSecond()).isCloseTo(500 * (42 + 22), within(1e-6));
    assertThat(hopping.changelogLive()).isCloseTo(5_000 * 29 * 57.0, within(1.0));
  }

  @Test
  void status_isEachSensorOnce() {
    Plan without = plan(PlannedJobs.NONE, Set.of());
    Plan with =
        plan(
            new PlannedJobs(
                Publishing.DEFAULT,
                Optional.empty(),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            Set.of());

    assertThat(with.stateBytes() - without.stateBytes()).isCloseTo(20_000 * 72, within(1e-3));
    assertThat(with.changelogLive() - without.changelogLive()).isCloseTo(20_000 * 31, within(1e-3));
    assertThat(with.statusAtRest()).isEqualTo(2 * 20_000 * 60);
    assertThat(without.statusAtRest()).isZero();
  }

  @Test
  void timers_takeTheirMessage_andAreWrittenOnBothTopics() {
    EventsCost cost =
        events(new EventLoad(0, 100, 140, 1e6, Optional.empty(), Optional.empty(), 3));

    assertThat(cost.stateBytes()).isCloseTo(288e6, within(1.0));
    assertThat(cost.changelogLive()).isCloseTo(173e6, within(1.0));
    assertThat(cost.changelogBytesPerSecond())
        .isCloseTo(100 * (31 + 0.39 * 140 + 22), within(1e-6));
    assertThat(cost.topics()).extracting(TopicLoad::key).containsExactly("events", "scheduled");
    assertThat(cost.topics())
        .allSatisfy(
            topic ->
                assertThat(topic.bytesPerSecond())
                    .isCloseTo(100 * (13 + 0.27 * 140), within(1e-6)));
  }

  @Test
  void keysThatNeverRest_foldOnceForMaxHold() {
    EventsCost cost = events(EVENTS);

    // 2,000 events a second of 1,000 keys: one each 0.5 s, and a fold each 60.5 s.
    assertThat(cost.neverQuiet()).isTrue();
    assertThat(cost.foldsPerSecond()).isCloseTo(1_000 / 60.5, within(1e-9));
    assertThat(cost.openFolds()).isEqualTo(1_000);
    assertThat(cost.foldsHeap()).isEqualTo(1_000 * (670 + 3 * 130.0));
  }

  @Test
  void keysThatRest_foldEachEvent_andHoldItForQuiet() {
    EventsCost cost =
        events(
            new EventLoad(
                100,
                0,
                140,
                0,
                Optional.of(new FoldLoad(1_000, 3, 5_000, 60_000)),
                Optional.empty(),
                1));

    assertThat(cost.neverQuiet()).isFalse(); // One each 10 s.
    assertThat(cost.foldsPerSecond()).isEqualTo(100);
    assertThat(cost.openFolds()).isEqualTo(500);
    assertThat(cost.changelogBytesPerSecond())
        .isCloseTo(100 * (81 + 3 * 18.0) + 100 * 3 * 22, within(1e-6));
  }

  @Test
  void groups_keepAnHourOfWindows_andWriteEachSensorsPart() {
    GroupsCost cost = events(EVENTS).groups().orElseThrow();

    assertThat(cost.windowsOfGroup()).isEqualTo(61);
    assertThat(cost.heapBytes()).isCloseTo(500 * 61 * (570 + 40 * 185.0), within(1.0));
    assertThat(cost.changelogLive()).isCloseTo(500 * 61 * (27 + 40 * 70.0), within(1.0));
    assertThat(cost.partsBytesPerSecond()).isCloseTo(20_000 / 60.0 * 51, within(1e-6));
    assertThat(cost.groupsBytesPerSecond()).isCloseTo(500 / 60.0 * 60, within(1e-6));
    // Sensors send over 1 s; windows of 10 s see 30 commits, which is three a second.
    assertThat(cost.changelogBytesPerSecond())
        .isCloseTo(500 / 60.0 * (4 * 27 + 22) + 20_000 / 60.0 * (44 + 22), within(1e-6));
  }

  @Test
  void podOfEvents_thatIsLost_leavesItsStateToTheOthers() {
    EventsCost pods = plan().events().orElseThrow();
    double state = 288e6 + 1_060e3 + 500 * 61 * (570 + 40 * 185.0);

    assertThat(pods.heap(3)).isCloseTo(40 * MIB + 2 * (state / 3 + 164 * MIB), within(1.0));
    assertThat(pods.limit()).isCloseTo((40 * MIB + 2 * (state / 2 + 164 * MIB)) / 0.7, within(1.0));
  }

  @Test
  void whatAPartitionDoesNotKeep_isBeyond_andSaysWhatCanBeDone() {
    EventLoad load = new EventLoad(0, 100, 140, 100e6, Optional.empty(), Optional.empty(), 2);
    Plan plan =
        plan(
            new PlannedJobs(
                Publishing.DEFAULT,
                Optional.empty(),
                false,
                Optional.of(load),
                Optional.empty(),
                Optional.empty()),
            Set.of());

    assertThat(plan.isBeyond()).isTrue();
    assertThat(String.join("\n", PlanText.beyond(plan)))
        .contains("1,562,500 timers", "weir.timers.max.bytes")
        .doesNotContain("too large for one Weir:");
  }

  @Test
  void tables_growByDays_andDropWholeOnes() {
    TablesCost tables = plan().tables().orElseThrow();
    double a = 259 * 86_400.0;
    double perDay = 2_000 * a + 20_000 / 60.0 * a + 500 * a + 500 / 60.0 * 277 * 86_400;
    double live = 20_000 * 191 + 1_000 * 3 * 160;

    assertThat(tables.tables())
        .extracting(TablesCost.Table::name)
        .containsExactly(
            "weir_windows",
            "weir_rollups",
            "weir_hopping",
            "weir_status",
            "weir_groups",
            "weir_entity");
    assertThat(tables.bytesPerDay()).isCloseTo(perDay, within(1.0));
    assertThat(tables.days()).isEqualTo(91);
    assertThat(tables.atRest()).isCloseTo(91 * perDay + live, within(100.0));
    assertThat(tables.rowsPerSecond())
        .isCloseTo(2_000 + 20_000 / 60.0 + 500 + 500 / 60.0 + 3_000 / 60.5, within(1e-6));
    assertThat(tables.pods()).isEqualTo(1);
  }

  @Test
  void tableOfHistograms_isMostlyThose() {
    TablesCost tables = plan(all(), Set.of(StatisticSet.HISTOGRAM)).tables().orElseThrow();

    assertThat(tables.summaryRow()).isEqualTo(259 + 1_840);
  }

  /** The table of docs/results/2026-11-25-sizing.md. */
  @Test
  void readings_takeLessInFullerBatches() {
    Publishing everySecond = new Publishing(20, 1_000);

    assertThat(Publishing.DEFAULT.readingsInBatch(20_000)).isEqualTo(7.25);
    assertThat(Publishing.DEFAULT.readingsInBatch(2_000_000)).isEqualTo(7.25);
    assertThat(Publishing.DEFAULT.readingsInBatch(2_000)).isEqualTo(1.625);
    assertThat(everySecond.readingsInBatch(20_000)).isEqualTo(16.625);
    PlannedJobs jobs =
        new PlannedJobs(
            everySecond,
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(plan(jobs, Set.of()).readingBytes())
        .isCloseTo(33.3 + 120 * (1 / 16.625 - 1 / 7.25), within(1e-9));
    assertThat(plan().readingBytes()).isCloseTo(33.3, within(1e-9));
  }

  @Test
  void imports_byRecordsAndTheirMeasuredProcessorTime() {
    assertThat(plan().items())
        .filteredOn(item -> item.key().startsWith("import_"))
        .extracting(PlanItem::value)
        .containsExactly(2.0, 20.0, 50_000.0 / 20 / 64, 0.2);
    PlannedJobs unmeasured =
        new PlannedJobs(
            Publishing.DEFAULT,
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.of(new ImportLoad(50_000, 12, 2, 0)));
    assertThat(PlanText.lines(plan(unmeasured, Set.of())))
        .anyMatch(line -> line.contains("not known: weir bench --load import measures"));
  }

  /** The bytes of the spool are those of a batch in the journal, of messages of the contract. */
  @Test
  void inputs_byWhatABatchAndAnIdentityTake() {
    Publishing publishing = new Publishing(2, 1_000);
    PlannedJobs jobs =
        new PlannedJobs(
            publishing,
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(new InputLoad(30_000, 600_000, 32)));
    Plan plan = plan(jobs, Set.of());
    EdgeCost cost = EdgeCost.of(plan).orElseThrow();
    int readings = (int) publishing.readingsInBatch(plan.input().rate());
    ReadingBatch.Builder batch =
        ReadingBatch.newBuilder().setGatewayId("g".repeat(20)).setBootId(1).setSequence(100_000);
    for (int i = 0; i < readings; i++) {
      batch.addSeries(
          Series.newBuilder()
              .setSensorId(String.format("%032d", i))
              .setStartTimestampMs(1_900_000_000_000L)
              .addTimestampDeltaMs(200)
              .addValue(1.5));
    }
    double measured = (batch.build().getSerializedSize() + 34.0) / readings + 3;

    assertThat(plan.input().run()).isEqualTo(1);
    assertThat(cost.readingBytes()).isCloseTo(measured, withinPercentage(5));
    double rate = plan.input().rate() / 2;
    assertThat(cost.diskBytes()).isCloseTo(rate * 30 * cost.readingBytes(), within(1e-3));
    assertThat(cost.spoolBytes()).isCloseTo(rate * 630 * cost.readingBytes(), within(1e-3));
    assertThat(plan.items())
        .filteredOn(item -> item.key().startsWith("edge_"))
        .extracting(PlanItem::value)
        .containsExactly(cost.identityBytes(), cost.diskBytes(), cost.spoolBytes());
    assertThat(PlanValues.yaml(plan, List.of()))
        .contains("  spool:", "  weir.edge.dedup.bytes: " + (long) cost.identityBytes());
  }

  @Test
  void brokers_haveAllTopics() {
    Plan plan = plan();
    Plan none = plan(PlannedJobs.NONE, Set.of());
    double without = none.brokerIn();
    EventsCost events = plan.events().orElseThrow();
    double more =
        plan.moreTopics().stream().mapToDouble(TopicLoad::bytesPerSecond).sum()
            + plan.hopping().changelogBytesPerSecond()
            + plan.changelogEntriesPerSecond() * (plan.changeBytes() - none.changeBytes())
            + events.changelogBytesPerSecond();

    assertThat(plan.moreTopics()).hasSize(6);
    assertThat(plan.brokerIn()).isCloseTo(without + more, within(1e-3));
  }

  @Test
  void text_andJson_haveEveryNumberAndFigure() throws Exception {
    Plan plan = plan();
    JsonNode json = new ObjectMapper().readTree(PlanText.json(plan));
    String text = String.join("\n", PlanText.lines(plan));

    for (PlanItem item : plan.items()) {
      assertThat(json.path(item.key()).asDouble()).isEqualTo(item.value());
      assertThat(text).contains(item.label() + " ").contains(item.how());
    }
    assertThat(plan.items()).extracting(PlanItem::key).doesNotHaveDuplicates();
    assertThat(json.path("figures").path("fold_heap_bytes").path("each").asDouble()).isEqualTo(130);
    assertThat(text)
        .contains("Largest costs", "scheduled events in memory", "weir_windows, ")
        .contains("docs/results/2026-11-25-sizing.md");
  }
}
