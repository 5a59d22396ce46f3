package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.Columns;
import java.util.List;
import org.junit.jupiter.api.Test;

class SensorHopsTest {
  private WindowsRig rig = new WindowsRig(spec(5, 0));

  /** Windows of 10 ms, hopping ones of 30 ms; forgotten after 1000 ms, purged after 5000. */
  private static WindowSpec spec(long graceMs, long latenessMs) {
    return WindowSpec.of(10, graceMs, latenessMs, 30, WindowSpec.IdleRule.ENDED, 1000)
        .withMarkTtlMs(5000)
        .with(HoppingPlan.of(10, 30, List.of()));
  }

  /** What was emitted of hopping windows. */
  private List<String> hops() {
    return rig.emissions.brief().stream()
        .filter(line -> line.contains("~") || line.startsWith("left out"))
        .toList();
  }

  @Test
  void eachWindowThatCloses_endsAHoppingWindow_withTheEvictedOnesBefore() {
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 15, 2));
    assertThat(hops()).containsExactly("a@-20~30 EVENT_TIME r0 n1 bad0 sum1.0");
    rig.apply(101, new Columns().row("a", 25, 4));
    assertThat(hops()).containsExactly("a@-10~30 EVENT_TIME r0 n2 bad0 sum3.0");
    rig.apply(102, new Columns().row("a", 35, 8));
    assertThat(hops()).containsExactly("a@0~30 EVENT_TIME r0 n3 bad0 sum7.0");
    rig.apply(103, new Columns().bad("a", 45));
    assertThat(hops()).containsExactly("a@10~30 EVENT_TIME r0 n3 bad0 sum14.0");
    rig.apply(104, new Columns().row("a", 55, 1));
    assertThat(hops()).containsExactly("a@20~30 EVENT_TIME r0 n2 bad1 sum12.0");
  }

  @Test
  void gapInTheReadings_hasNoHoppingWindowOfItsOwn_andIsEmptyInThoseBehindIt() {
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 25, 2).row("a", 95, 4));
    assertThat(hops())
        .containsExactly(
            "a@-20~30 EVENT_TIME r0 n1 bad0 sum1.0", "a@0~30 EVENT_TIME r0 n2 bad0 sum3.0");
    rig.apply(101, new Columns().row("a", 195, 1));
    assertThat(hops()).containsExactly("a@70~30 EVENT_TIME r0 n1 bad0 sum4.0");
  }

  @Test
  void lateReadings_amendEachHoppingWindowThatHoldsThem_onceABatch() {
    rig = new WindowsRig(spec(5, 100));
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 11, 1).row("a", 31, 1).row("a", 46, 1));
    hops();
    rig.apply(101, new Columns().row("a", 2, 1).row("a", 12, 1));
    assertThat(hops())
        .containsExactlyInAnyOrder(
            "a@-20~30 AMENDED r1 n2 bad0 sum2.0",
            "a@-10~30 AMENDED r1 n4 bad0 sum4.0",
            "a@10~30 AMENDED r1 n3 bad0 sum3.0");
  }

  @Test
  void windowThatBeginsLate_endsAHoppingWindowOfRevision0_andAmendsOthers() {
    rig = new WindowsRig(spec(5, 100));
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 35, 1).row("a", 46, 1));
    hops();
    rig.apply(101, new Columns().row("a", 22, 1));
    assertThat(hops())
        .containsExactlyInAnyOrder(
            "a@0~30 AMENDED r0 n2 bad0 sum2.0", "a@10~30 AMENDED r1 n2 bad0 sum2.0");
  }

  /** The newer window has nothing new when it closes, but what it ends has. */
  @Test
  void emittedAsIdle_olderWindowGoesOn_isEmittedAgainAtItsClose() {
    rig = new WindowsRig(spec(20, 0));
    rig.apply(100, new Columns().row("a", 81, 1).row("a", 91, 1));
    rig.pass(140);
    assertThat(hops())
        .containsExactly("a@60~30 IDLE r0 n1 bad0 sum1.0", "a@70~30 IDLE r0 n2 bad0 sum2.0");
    rig.apply(141, new Columns().row("a", 82, 1).row("a", 121, 1));
    assertThat(hops())
        .containsExactly(
            "a@60~30 EVENT_TIME r1 n2 bad0 sum2.0", "a@70~30 EVENT_TIME r1 n3 bad0 sum3.0");
  }

  @Test
  void attestedEnd_isFinal_unlessAWindowInItCanStillBeAmended() {
    rig = new WindowsRig(spec(5, 10));
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 15, 1));
    assertThat(hops()).containsExactly("a@-20~30 EVENT_TIME r0 n1 bad0 sum1.0");
    rig.apply(101, new Columns().gateway("g", 1, 1).row("a", 21, 1).complete("a", 30));
    assertThat(hops()).isEmpty();
    rig.apply(102, new Columns().row("a", 31, 1));
    assertThat(hops()).containsExactly("a@-10~30 EVENT_TIME r0 n2 bad0 sum2.0");
    rig.apply(103, new Columns().row("a", 32, 1));
    assertThat(hops()).containsExactly("a@0~30 COMPLETE r0 n3 bad0 sum3.0");
    rig.apply(104, new Columns().gateway("g", 1, 2).row("a", 41, 1).complete("a", 40));
    assertThat(hops()).containsExactly("a@10~30 COMPLETE r0 n4 bad0 sum4.0");
    rig.apply(105, new Columns().row("a", 15, 1).row("a", 35, 1).row("a", 99, 1));
    assertThat(hops()).containsExactly("a@20~30 EVENT_TIME r0 n4 bad0 sum4.0");
  }

  @Test
  void forgottenSensor_goesOnWithItsLastWindows() {
    rig = new WindowsRig(spec(5, 0));
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 15, 2).row("a", 21, 4));
    rig.pass(1200);
    assertThat(hops()).contains("a@0~30 IDLE r0 n3 bad0 sum7.0");
    assertThat(rig.windows.sensors()).isOne();
    rig.apply(1201, new Columns().row("a", 31, 8).row("a", 49, 16));
    assertThat(hops()).containsExactly("a@10~30 EVENT_TIME r0 n3 bad0 sum14.0");
  }

  @Test
  void topicWhoseStartIsGone_thoseThatHoldTheFirstReadings_areLeftOutAndCounted() {
    rig.windows.sinceStart(false);
    rig.apply(100, new Columns().row("a", 61, 1).row("a", 75, 1));
    rig.apply(101, new Columns().row("a", 85, 1).row("a", 95, 1));
    assertThat(hops()).containsExactly("left out HOP", "left out HOP", "left out HOP");
    rig.apply(102, new Columns().row("a", 105, 1).row("a", 115, 1).row("a", 125, 1));
    assertThat(hops()).containsExactly("left out HOP", "left out HOP", "left out HOP");
    rig.apply(103, new Columns().row("a", 135, 1));
    assertThat(hops()).containsExactly("a@100~30 EVENT_TIME r0 n3 bad0 sum3.0");
  }

  @Test
  void sensorsThatAreNotNamed_haveNone() {
    rig = new WindowsRig(spec(5, 0).with(HoppingPlan.of(10, 30, List.of("b", "ax"))));
    rig.apply(100, new Columns().row("a", 1, 1).row("a", 25, 1).row("ax1", 1, 1).row("ax1", 25, 1));
    assertThat(hops()).containsExactly("ax1@-20~30 EVENT_TIME r0 n1 bad0 sum1.0");
  }

  /** Grace became longer: a window of a hopping window that was closed is open again. */
  @Test
  void windowOpensInAClosedOne_isOpenAgain() {
    WindowSpec longer = spec(50, 100);
    SensorWindows sensor = new SensorWindows(new byte[] {'a'}, 1);
    sensor.take(spec(5, 100), 21, 1, 0, (s, window) -> {});
    sensor.take(spec(5, 100), 40, 1, 0, (s, window) -> {});
    sensor.endBatch(spec(5, 100), 100, rig.emissions, new WindowChanges<>());
    assertThat(hops()).containsExactly("a@0~30 EVENT_TIME r0 n1 bad0 sum1.0");
    sensor.take(longer, 15, 1, 0, (s, window) -> {});
    sensor.endBatch(longer, 101, rig.emissions, new WindowChanges<>());
    assertThat(hops()).isEmpty();
    sensor.take(longer, 80, 1, 0, (s, window) -> {});
    sensor.endBatch(longer, 102, rig.emissions, new WindowChanges<>());
    assertThat(hops())
        .containsExactly(
            "a@-10~30 EVENT_TIME r0 n1 bad0 sum1.0", "a@0~30 EVENT_TIME r1 n2 bad0 sum2.0");
  }

  @Test
  void oneBatchThatAmendsVeryManyWindows_emitsEachHoppingWindowOnce() {
    rig = new WindowsRig(spec(0, 2_000_000).with(HoppingPlan.of(10, 600, List.of())));
    Columns first = new Columns();
    Columns second = new Columns();
    for (int i = 0; i < 20_000; i++) {
      first.row("a", 10L * i, 1);
      second.row("a", 10L * i, 1);
    }
    rig.apply(100, first.row("a", 200_005, 1));
    hops();
    rig.apply(101, second);
    assertThat(hops())
        .hasSize(20_000)
        .allMatch(line -> line.contains("AMENDED r1"))
        .contains("a@199400~600 AMENDED r1 n120 bad0 sum120.0");
  }
}
