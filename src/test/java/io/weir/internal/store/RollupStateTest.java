package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.window.Emissions;
import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Rollups in the state: switched on, off and over, from the middle of a topic, damaged. */
class RollupStateTest {
  private static final GatewayRules GATEWAYS = GatewayRules.of(300_000);
  private static final WindowSpec OFF = WindowSpec.of(10, 0, 0, 30_000, IdleRule.ENDED, 1L << 50);
  private static final WindowSpec ON = OFF.with(RollupPlan.of(10, List.of(30L, 60L)));

  private final Changelog log = new Changelog();
  private final Emissions emissions = new Emissions();
  private PartitionState state;
  private long offset;

  private void begin(WindowSpec spec) {
    state = new PartitionState(spec, GATEWAYS, WindowLimits.ofSensors(1_000));
  }

  /** Everything is written, and read back under these settings. */
  private void restart(WindowSpec spec) {
    state.flush(log);
    begin(spec);
    log.compacted(true).replay(0, state);
    state.resume();
  }

  private void apply(Columns batch) {
    state.observe(100, offset, Uuid.ZERO_UUID);
    state.windows().apply(batch.build(), 100, emissions);
    offset++;
  }

  /** What was emitted of rollups. */
  private List<String> rollups() {
    return emissions.brief().stream()
        .filter(line -> line.contains("+") || line.startsWith("left out"))
        .toList();
  }

  @Test
  void switchedOnWithinARollup_thatOneIsLeftOut_andTheNextIsWhole() {
    begin(OFF);
    apply(new Columns().row("a", 1, 1).row("a", 15, 1));
    restart(ON);
    apply(new Columns().row("a", 35, 1));
    assertThat(rollups()).containsExactly("left out ROLLUP");
    restart(ON);
    apply(new Columns().row("a", 65, 1));
    assertThat(rollups()).containsExactly("left out ROLLUP", "left out ROLLUP");
    apply(new Columns().row("a", 125, 1));
    assertThat(rollups())
        .containsExactly(
            "a@60+30 EVENT_TIME r0 n1 bad0 sum1.0", "a@60+60 EVENT_TIME r0 n1 bad0 sum1.0");
  }

  @Test
  void switchedOn_whereNoWindowWasEvicted_nothingIsLeftOut() {
    WindowSpec late = WindowSpec.of(10, 0, 100, 30_000, IdleRule.ENDED, 1L << 50);
    begin(late);
    apply(new Columns().row("a", 1, 1).row("a", 5, 1));
    restart(late.with(ON.rollups()));
    apply(new Columns().row("a", 35, 1));
    assertThat(rollups()).containsExactly("a@0+30 EVENT_TIME r0 n2 bad0 sum2.0");
  }

  @Test
  void otherSizes_oldRollupsAreGone_fromMemoryAndChangelog() {
    begin(ON);
    apply(new Columns().row("a", 1, 1).row("a", 15, 1));
    restart(OFF.with(RollupPlan.of(10, List.of(20L, 60L))));
    assertThat(log.keys()).anyMatch(key -> key.startsWith("R"));
    apply(new Columns().row("a", 16, 1));
    restart(OFF.with(RollupPlan.of(10, List.of(20L, 60L))));
    assertThat(log.keys()).noneMatch(key -> key.startsWith("R"));
    apply(new Columns().row("a", 81, 1));
    assertThat(rollups()).containsExactly("left out ROLLUP", "left out ROLLUP");
    apply(new Columns().row("a", 121, 1));
    assertThat(rollups())
        .containsExactly(
            "a@80+20 EVENT_TIME r0 n1 bad0 sum1.0", "a@60+60 EVENT_TIME r0 n1 bad0 sum1.0");
  }

  @Test
  void deletedSpansThatAReplicaBringsBack_areDroppedAgain_andEmitNothing() {
    WindowSpec spec = ON.with(HoppingPlan.of(10, 30, List.of()));
    begin(spec);
    apply(new Columns().row("a", 1, 1).row("a", 15, 1));
    state.flush(log);
    Changelog before = log.compacted(true);
    apply(new Columns().row("a", 185, 1));
    state.flush(log);
    before.repeat('R', log);
    before.repeat('H', log);
    emissions.take();
    restart(spec);
    state.windows().upkeep(state.time(), 100, emissions);
    apply(new Columns().row("a", 186, 1));
    assertThat(rollups()).isEmpty();
    state.flush(log);
    assertThat(log.keys().stream().filter(key -> key.startsWith("R"))).hasSizeLessThan(3);
  }

  /** A sensor has more windows than its entry holds, so the oldest ones have entries. */
  @Test
  void deletedWindowsThatAReplicaBringsBack_areDroppedAgain_andEmitNothing() {
    WindowSpec slow = WindowSpec.of(10, 500, 0, 30_000, IdleRule.ENDED, 1L << 50);
    begin(slow);
    Changelog before = openManyWindows();
    apply(new Columns().row("a", 1_000, 1));
    state.flush(log);
    before.repeat('W', log);
    emissions.take();
    restart(slow);
    pass();
    assertThat(emissions.brief()).containsExactly("a@1000 IDLE r0 n1 bad0 sum1.0");
    state.flush(log);
    assertThat(log.keys()).noneMatch(key -> key.startsWith("W"));
  }

  @Test
  void entriesOfAPurgedSensorThatAReplicaBringsBack_areDroppedAgain_andEmitNothing() {
    WindowSpec brief =
        WindowSpec.of(10, 500, 0, 30_000, IdleRule.ENDED, 60_000)
            .withMarkTtlMs(60_000)
            .with(ON.rollups());
    begin(brief);
    Changelog before = openManyWindows();
    for (int i = 0; i < 10; i++) {
      pass();
    }
    assertThat(state.windows().countWindows()).isZero();
    state.flush(log);
    before.repeat('W', log);
    before.repeat('R', log);
    emissions.take();
    restart(brief);
    assertThat(state.windows().countWindows()).isZero();
    pass();
    assertThat(emissions.brief()).isEmpty();
    state.flush(log);
    assertThat(log.keys()).noneMatch(key -> key.startsWith("W") || key.startsWith("R"));
  }

  private Changelog openManyWindows() {
    Columns open = new Columns();
    for (int i = 0; i < 9; i++) {
      open.row("a", 10 * i + 2, 1);
    }
    apply(open);
    state.flush(log);
    assertThat(log.keys()).anyMatch(key -> key.startsWith("W"));
    return log.compacted(true);
  }

  /** An idle timeout passes. */
  private void pass() {
    state.observe(state.time().appendMs() + 30_000, offset++, Uuid.ZERO_UUID);
    state.windows().upkeep(state.time(), 100, emissions);
  }

  @Test
  void largestSizeTakenAway_othersGoOn() {
    begin(ON);
    apply(new Columns().row("a", 1, 1).row("a", 15, 1));
    restart(OFF.with(RollupPlan.of(10, List.of(30L))));
    apply(new Columns().row("a", 35, 1));
    assertThat(rollups()).containsExactly("a@0+30 EVENT_TIME r0 n2 bad0 sum2.0");
    state.flush(log);
    assertThat(log.keys()).noneMatch(key -> key.startsWith("R"));
  }

  @Test
  void sizeThatStays_isNotEmittedAgain_andItsRevisionsGoOn() {
    WindowSpec late = WindowSpec.of(10, 0, 100, 30_000, IdleRule.ENDED, 1L << 50);
    begin(late.with(ON.rollups()));
    apply(new Columns().row("a", 1, 1).row("a", 35, 1));
    assertThat(rollups()).containsExactly("a@0+30 EVENT_TIME r0 n1 bad0 sum1.0");
    restart(late.with(RollupPlan.of(10, List.of(30L, 120L))));
    apply(new Columns().row("a", 36, 1));
    assertThat(rollups()).isEmpty();
    apply(new Columns().row("a", 2, 1));
    assertThat(rollups()).containsExactly("a@0+30 AMENDED r1 n2 bad0 sum2.0");
  }

  @Test
  void switchedOff_nothingIsLeftOfThem_andSwitchedOnAgainTheyBeginAgain() {
    begin(ON);
    apply(new Columns().row("a", 1, 1).row("a", 15, 1));
    restart(OFF);
    apply(new Columns().row("a", 25, 1));
    state.flush(log);
    assertThat(log.keys()).noneMatch(key -> key.startsWith("R"));
    apply(new Columns().row("a", 70, 1));
    restart(ON);
    apply(new Columns().row("a", 121, 1));
    assertThat(rollups()).containsExactly("left out ROLLUP", "left out ROLLUP");
  }

  @Test
  void stateThatBeganWithinTheTopic_knowsANewSensorFromTheNextRollupOn_alsoAfterARestart() {
    offset = 7;
    begin(ON);
    apply(new Columns().row("a", 1, 1));
    restart(ON);
    apply(new Columns().row("a", 61, 1).row("b", 61, 1));
    assertThat(rollups()).containsExactly("left out ROLLUP", "left out ROLLUP");
    apply(new Columns().row("a", 95, 1).row("b", 95, 1));
    assertThat(rollups())
        .containsExactly("a@60+30 EVENT_TIME r0 n1 bad0 sum1.0", "left out ROLLUP");
  }

  @Test
  void setSwitchedOnWithinARollup_isMissingInIt_andCounted() {
    WindowSpec more = ON.with(StatisticsPlan.ofAll(List.of(StatisticSet.values())));
    begin(ON);
    apply(new Columns().row("a", 1, 1));
    restart(more);
    apply(new Columns().row("a", 15, 2).row("a", 35, 3));
    List<String> first = emissions.take();
    assertThat(first).contains("left out STATISTICS min");
    assertThat(first)
        .filteredOn(line -> line.contains("+30"))
        .noneMatch(line -> line.contains("sets"));
    apply(new Columns().row("a", 65, 4));
    List<String> second = emissions.take();
    assertThat(second)
        .filteredOn(line -> line.startsWith("a@30+30"))
        .hasSize(1)
        .allMatch(line -> line.contains("integral0.0"));
    assertThat(second).filteredOn(line -> line.startsWith("left out")).hasSize(1);
  }

  @Test
  void entriesOfASensor_doNotGrowWithTheRollupsKept() {
    begin(WindowSpec.of(10, 0, 1L << 40, 30_000, IdleRule.ENDED, 1L << 50).with(ON.rollups()));
    Columns many = new Columns();
    for (int i = 0; i < 10_000; i++) {
      many.row("a", 10L * i + 1, 0.1);
    }
    apply(many);
    state.flush(log);
    assertThat(log.longestValue()).isLessThan(400);
    int before = log.size();
    apply(new Columns().row("a", 55, 1));
    state.flush(log);
    assertThat(log.size() - before).isLessThanOrEqualTo(5);
  }

  /**
   * Its windows have entries of their own, which say how the hopping windows before were emitted.
   */
  @Test
  void hopsOfAnotherLength_ofASensorThatIsSilent_areAllEmittedWhenItSpeaks() {
    WindowSpec late = WindowSpec.of(10, 0, 1_000, 30_000, IdleRule.ENDED, 1L << 50);
    begin(late.with(HoppingPlan.of(10, 30, List.of())));
    Columns many = new Columns().row("b", 1, 1);
    for (int i = 0; i < 8; i++) {
      many.row("a", 10L * i + 1, 1);
    }
    apply(many);
    WindowSpec longer = late.with(HoppingPlan.of(10, 50, List.of()));
    restart(longer);
    apply(new Columns().row("b", 2, 1));
    restart(longer);
    emissions.take();
    apply(new Columns().row("a", 81, 1));
    assertThat(emissions.brief())
        .filteredOn(line -> line.startsWith("a@") && line.contains("~50 EVENT_TIME r0"))
        .hasSize(8);
  }

  @Test
  void damagedEntries_areReadOrRefused_neverAnythingElse() {
    damage("R", StateKey.rollup(new byte[] {'a'}, 30, 0));
    damage("H", StateKey.evicted(new byte[] {'a'}, 0));
    damage("S", StateKey.sensor(new byte[] {'a'}));
  }

  private void damage(String kind, byte[] keyBytes) {
    WindowSpec on = ON.with(HoppingPlan.of(10, 100, List.of()));
    begin(on.with(StatisticsPlan.ofAll(List.of(StatisticSet.values()))));
    apply(new Columns().row("a", 1, 1e300).row("a", 2, 1e-300).row("a", 15, -7));
    state.flush(log);
    String key =
        log.keys().stream().filter(each -> each.startsWith(kind)).findFirst().orElseThrow();
    byte[] whole = log.value(key);
    for (int i = 0; i < whole.length; i++) {
      for (int value = -1; value < 256; value++) {
        byte[] damaged = value < 0 ? Arrays.copyOf(whole, i) : whole.clone();
        if (value >= 0) {
          damaged[i] = (byte) value;
        }
        begin(on);
        try {
          state.restore(keyBytes, damaged);
        } catch (StateMismatchException refused) {
          assertThat(refused).hasMessageNotContaining("null");
        }
      }
    }
  }

  @Test
  void newerFormat_isRefusedAsSuch() {
    begin(ON);
    byte newer = StateFormat.NUMBER + 1;
    assertThatThrownBy(
            () ->
                state.restore(
                    StateKey.rollup(new byte[] {'a'}, 30, 0), new byte[] {newer, 0, 0, 0}))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("format " + newer);
  }
}
