package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.Columns;
import java.util.List;
import org.junit.jupiter.api.Test;

class SensorRollupsTest {
  private static final long DAY_MS = 86_400_000;
  private static final long HOUR_MS = 3_600_000;

  private WindowsRig rig = new WindowsRig(spec(5, 0));

  /** Windows of 10 ms in rollups of 30 and 60 ms; forgotten after 1000 ms, purged after 5000. */
  private static WindowSpec spec(long graceMs, long latenessMs) {
    return WindowSpec.of(10, graceMs, latenessMs, 30, WindowSpec.IdleRule.ENDED, 1000)
        .withMarkTtlMs(5000)
        .with(RollupPlan.of(10, List.of(30L, 60L)));
  }

  /** What was emitted of rollups. */
  private List<String> rollups() {
    return rig.emissions.brief().stream()
        .filter(line -> line.contains("+") || line.startsWith("left out"))
        .toList();
  }

  @Test
  void rollup_watermarkReachesEndAndGrace_closesWithAllOfItsWindows() {
    rig.apply(100, new Columns().row("a", 1, 2).row("a", 11, 3));
    rig.apply(101, new Columns().row("a", 34, 4));
    assertThat(rollups()).isEmpty();
    rig.apply(102, new Columns().bad("a", 65));
    assertThat(rollups())
        .containsExactly(
            "a@0+30 EVENT_TIME r0 n2 bad0 sum5.0",
            "a@30+30 EVENT_TIME r0 n1 bad0 sum4.0",
            "a@0+60 EVENT_TIME r0 n3 bad0 sum9.0");
  }

  @Test
  void amendedWindow_emitsTheClosedRollupsThatHoldIt_onceABatch() {
    rig = new WindowsRig(spec(5, 100));
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 11, 1).row("a", 36, 1));
    rollups();
    rig.apply(101, new Columns().row("a", 2, 1).row("a", 12, 1));
    assertThat(rollups()).containsExactly("a@0+30 AMENDED r1 n4 bad0 sum4.0");
    rig.apply(102, new Columns().row("a", 66, 1));
    assertThat(rollups())
        .containsExactly(
            "a@30+30 EVENT_TIME r0 n1 bad0 sum1.0", "a@0+60 EVENT_TIME r0 n5 bad0 sum5.0");
  }

  /** A look at all windows of the rollup for each of them takes minutes. */
  @Test
  void oneBatchThatAmendsVeryManyWindows_emitsTheirRollupOnce() {
    WindowSpec spec = spec(0, 2_000_000).with(RollupPlan.of(10, List.of(500_000L, 1_000_000L)));
    rig = new WindowsRig(spec);
    Columns first = new Columns();
    Columns second = new Columns();
    for (int i = 0; i < 100_000; i++) {
      first.row("a", 10L * i, 1);
      second.row("a", 10L * i, 1);
    }
    rig.apply(100, first.row("a", 1_000_005, 1));
    rollups();
    rig.apply(101, second);
    assertThat(rollups())
        .containsExactlyInAnyOrder(
            "a@0+500000 AMENDED r1 n100000 bad0 sum100000.0",
            "a@500000+500000 AMENDED r1 n100000 bad0 sum100000.0",
            "a@0+1000000 AMENDED r1 n200000 bad0 sum200000.0");
  }

  /** Grace became longer: a window of a rollup that was closed is open again. */
  @Test
  void windowOpensInAClosedRollup_rollupIsOpenAgain() {
    WindowSpec longer = spec(50, 100);
    SensorWindows sensor = new SensorWindows(new byte[] {'a'}, 1);
    sensor.take(spec(5, 100), 1, 1, 0, (s, window) -> {});
    sensor.take(spec(5, 100), 40, 1, 0, (s, window) -> {});
    sensor.endBatch(spec(5, 100), 100, rig.emissions, new WindowChanges<>());
    assertThat(rollups()).containsExactly("a@0+30 EVENT_TIME r0 n1 bad0 sum1.0");
    sensor.take(longer, 15, 1, 0, (s, window) -> {});
    sensor.endBatch(longer, 101, rig.emissions, new WindowChanges<>());
    assertThat(rollups()).isEmpty();
    sensor.take(longer, 80, 1, 0, (s, window) -> {});
    sensor.endBatch(longer, 102, rig.emissions, new WindowChanges<>());
    assertThat(rollups()).containsExactly("a@0+30 EVENT_TIME r1 n2 bad0 sum2.0");
  }

  @Test
  void silentSensor_rollupsAreEmittedOnceTheyEnd_andGoOn() {
    rig.apply(100, new Columns().row("a", 101, 1));
    rig.pass(130);
    assertThat(rollups())
        .containsExactly("a@90+30 IDLE r0 n1 bad0 sum1.0", "a@60+60 IDLE r0 n1 bad0 sum1.0");
    rig.apply(135, new Columns().row("a", 119, 1).row("a", 125, 1));
    assertThat(rollups())
        .containsExactly(
            "a@90+30 EVENT_TIME r1 n2 bad0 sum2.0", "a@60+60 EVENT_TIME r1 n2 bad0 sum2.0");
  }

  @Test
  void forgottenSensor_keepsWhatGoesOn_andItsOtherHalfMakesItWhole() {
    rig = new WindowsRig(spec(5, 0).with(RollupPlan.of(10, List.of(30L, 3000L))));
    rig.apply(3010, new Columns().row("a", 3001, 1).row("a", 3040, 2));
    rig.pass(4500);
    rollups();
    rig.apply(4501, new Columns().row("a", 4499, 4));
    assertThat(rollups()).isEmpty();
    rig.apply(4502, new Columns().row("a", 6005, 4));
    assertThat(rollups())
        .containsExactly(
            "a@4470+30 EVENT_TIME r0 n1 bad0 sum4.0", "a@3000+3000 EVENT_TIME r0 n3 bad0 sum7.0");
  }

  @Test
  void forgottenSensor_whoseRollupEndsLater_isEmittedFromItsMark() {
    rig = new WindowsRig(spec(5, 0).with(RollupPlan.of(10, List.of(3000L))));
    rig.apply(3010, new Columns().row("a", 3001, 1));
    rig.pass(5900);
    assertThat(rollups()).isEmpty();
    rig.pass(6005);
    assertThat(rollups()).containsExactly("a@3000+3000 IDLE r0 n1 bad0 sum1.0");
  }

  /** The broker's clock was far behind: what is emitted at the purge would never have ended. */
  @Test
  void purgedMark_emitsWhatWasNotEmitted_asItIs() {
    rig = new WindowsRig(spec(5, 0).with(RollupPlan.of(10, List.of(100_000L))));
    rig.apply(3010, new Columns().row("a", 3001, 1));
    rig.pass(9000);
    assertThat(rollups()).isEmpty();
    rig.pass(9100);
    assertThat(rollups()).containsExactly("a@0+100000 IDLE r0 n1 bad0 sum1.0");
    assertThat(rig.windows.sensors()).isZero();
  }

  @Test
  void dayOfASensor_twoHalvesWithTwentyFiveHoursBetween_isOneRollup() {
    WindowSpec spec =
        WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, DAY_MS)
            .with(RollupPlan.of(10_000, List.of(60_000L, HOUR_MS, DAY_MS)));
    SensorWindows sensor = new SensorWindows(new byte[] {'a'}, 1);
    WindowChanges<SensorWindows> changes = new WindowChanges<>();
    for (int hour = 0; hour < 12; hour++) {
      sensor.take(spec, hour * HOUR_MS, 1, 0, (s, window) -> {});
      sensor.endBatch(spec, hour * HOUR_MS, rig.emissions, changes);
    }
    IdleEmission.emitLast(sensor, spec, 1000, rig.emissions);
    sensor.forget(spec, changes);
    assertThat(sensor.windows()).isZero();
    for (int hour = 12; hour < 24; hour++) {
      sensor.take(spec, hour * HOUR_MS, 1, 0, (s, window) -> {});
      sensor.endBatch(spec, (hour + 25) * HOUR_MS, rig.emissions, changes);
    }
    rollups();
    sensor.take(spec, DAY_MS + 5_000, 1, 0, (s, window) -> {});
    sensor.endBatch(spec, 3 * DAY_MS, rig.emissions, changes);
    assertThat(rollups()).contains("a@0+86400000 EVENT_TIME r0 n24 bad0 sum24.0");
  }

  @Test
  void topicWhoseStartIsGone_rollupsOfTheFirstLargestSpan_areLeftOutAndCounted() {
    rig.windows.sinceStart(false);
    rig.apply(100, new Columns().row("a", 61, 1).row("a", 95, 1));
    assertThat(rollups()).containsExactly("left out ROLLUP");
    rig.apply(101, new Columns().row("a", 125, 1));
    assertThat(rollups()).containsExactly("left out ROLLUP", "left out ROLLUP");
    rig.apply(102, new Columns().row("a", 185, 1));
    assertThat(rollups())
        .containsExactly(
            "a@120+30 EVENT_TIME r0 n1 bad0 sum1.0", "a@120+60 EVENT_TIME r0 n1 bad0 sum1.0");
  }

  @Test
  void markThatComesBack_knowsWhatItKnew() {
    rig.windows.sinceStart(false);
    rig.apply(100, new Columns().row("a", 61, 1));
    rig.pass(1500);
    rollups();
    rig.apply(1501, new Columns().row("a", 1490, 1).row("a", 1565, 1));
    assertThat(rollups())
        .containsExactly(
            "a@1470+30 EVENT_TIME r0 n1 bad0 sum1.0", "a@1440+60 EVENT_TIME r0 n1 bad0 sum1.0");
  }
}
