package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Columns;
import org.junit.jupiter.api.Test;

/** When the windows of silent sensors are emitted, in slices and each once. */
class IdleSensorsTest extends PartitionWindowsFixture {
  @Test
  void lateReadingAlone_doesNotKeepTheSensorAwake() {
    apply(100, new Columns().row("a", 1, 1).row("a", 15, 1));
    emissions.take();
    apply(129, new Columns().row("a", 1, 1));
    upkeep(131);
    assertThat(emissions.brief()).containsExactly("a@10 IDLE r0 n1 bad0 sum1.0");
  }

  @Test
  void silentSensor_emitsIdleOnce_andGoesOnWithTheNextRevision() {
    apply(100, new Columns().row("a", 101, 1));
    upkeep(129);
    assertThat(emissions.take()).isEmpty();
    upkeep(130);
    upkeep(131);
    upkeep(500);
    assertThat(emissions.brief()).containsExactly("a@100 IDLE r0 n1 bad0 sum1.0");
    apply(600, new Columns().row("a", 102, 1).row("a", 200, 1));
    assertThat(emissions.brief()).containsExactly("a@100 EVENT_TIME r1 n2 bad0 sum2.0");
  }

  @Test
  void idleEmittedWindow_nothingAdded_isNotEmittedAtItsClose() {
    apply(100, new Columns().row("a", 101, 1));
    upkeep(130);
    emissions.take();
    apply(600, new Columns().row("a", 600, 1));
    assertThat(emissions.take()).isEmpty();
  }

  @Test
  void silentSensor_windowNotOverInPartitionTime_waits() {
    apply(100, new Columns().row("a", 170, 1));
    upkeep(184);
    assertThat(emissions.take()).isEmpty();
    upkeep(185);
    assertThat(emissions.brief()).containsExactly("a@170 IDLE r0 n1 bad0 sum1.0");
  }

  @Test
  void silentSensor_olderWindowOpenedAfterANewerOne_isEmittedAtItsOwnTime() {
    windows = new PartitionWindows(spec(500, 0), WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 400, 1));
    apply(101, new Columns().row("a", 1, 7));
    upkeep(509);
    assertThat(emissions.take()).isEmpty();
    upkeep(510);
    assertThat(emissions.brief()).containsExactly("a@0 IDLE r0 n1 bad0 sum7.0");
    upkeep(909);
    assertThat(emissions.take()).isEmpty();
    upkeep(910);
    assertThat(emissions.brief()).containsExactly("a@400 IDLE r0 n1 bad0 sum1.0");
  }

  @Test
  void silentSensor_underRuleAll_emitsAllItsWindows() {
    windows =
        new PartitionWindows(
            WindowSpec.of(10, HOUR_MS, HOUR_MS, 30, WindowSpec.IdleRule.ALL, HOUR_MS),
            WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 1, 1).row("a", 999, 2));
    upkeep(130);
    assertThat(emissions.brief())
        .containsExactly("a@0 IDLE r0 n1 bad0 sum1.0", "a@990 IDLE r0 n1 bad0 sum2.0");
  }

  @Test
  void upkeep_moreThanASlice_goesOnInTheNext() {
    Columns batch = new Columns();
    for (int i = 0; i < 25; i++) {
      batch.row("s" + i, 1, i);
    }
    apply(100, batch);
    time.observe(130);
    assertThat(windows.upkeep(time, 10, emissions)).isTrue();
    assertThat(windows.upkeep(time, 10, emissions)).isTrue();
    assertThat(emissions.take()).hasSize(20).doesNotHaveDuplicates();
    assertThat(windows.upkeep(time, 10, emissions)).isFalse();
    assertThat(emissions.take()).hasSize(5);
  }

  @Test
  void upkeep_oneSensorWithManyWindows_isSliced() {
    windows = new PartitionWindows(spec(HOUR_MS, 0), WindowLimits.ofSensors(1_000));
    Columns batch = new Columns();
    for (int i = 0; i < 25; i++) {
      batch.row("a", 10 * i + 1, i);
    }
    apply(100, batch);
    time.observe(2 * HOUR_MS);
    windows.upkeep(time, 10, emissions);
    assertThat(emissions.take()).hasSize(10);
    while (windows.upkeep(time, 10, emissions)) {}
    assertThat(emissions.take()).hasSize(15).doesNotHaveDuplicates();
  }

  @Test
  void idleSensor_windowThatHasNotEnded_waitsForTheAppendTime_notForLogTime() {
    apply(100, new Columns().row("a", 151, 1));
    pass(164);
    assertThat(emissions.brief()).isEmpty();
    upkeep(165);
    assertThat(emissions.brief()).containsExactly("a@150 IDLE r0 n1 bad0 sum1.0");
  }

  /** The older one comes to its end first, although the younger was waited for before it came. */
  @Test
  void idleSensor_olderWindowAfterAYounger_isEmittedAtItsOwnEnd() {
    windows = new PartitionWindows(spec(200, 0), WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 301, 1));
    pass(140);
    apply(141, new Columns().row("a", 155, 1));
    pass(359);
    assertThat(emissions.brief()).isEmpty();
    upkeep(360);
    assertThat(emissions.brief()).containsExactly("a@150 IDLE r0 n1 bad0 sum1.0");
    pass(509);
    assertThat(emissions.brief()).isEmpty();
    upkeep(510);
    assertThat(emissions.brief()).containsExactly("a@300 IDLE r0 n1 bad0 sum1.0");
  }

  @Test
  void idleSensor_thatSendsBeforeItsWindowEnds_becomesIdleAgain() {
    apply(100, new Columns().row("a", 151, 1));
    pass(140);
    apply(160, new Columns().row("a", 152, 1));
    upkeep(189);
    assertThat(emissions.brief()).isEmpty();
    upkeep(190);
    assertThat(emissions.brief()).containsExactly("a@150 IDLE r0 n2 bad0 sum2.0");
  }

  /** A leader ten minutes ahead for one record: at most one needless emission a window. */
  @Test
  void clockAheadForOneRecord_thenBack_emitsAWindowOnceBeforeItsTime() {
    long aheadMs = 600_000;
    apply(1000, new Columns().row("a", 1001, 1));
    upkeep(1001 + aheadMs);
    assertThat(emissions.brief()).containsExactly("a@1000 IDLE r0 n1 bad0 sum1.0");
    for (long appendMs = 1002; appendMs < 1200; appendMs++) {
      apply(appendMs, new Columns().row("a", appendMs, 1));
      upkeep();
    }
    assertThat(emissions.brief())
        .hasSize(19)
        .allMatch(window -> window.contains(" EVENT_TIME "))
        .first()
        .asString()
        .startsWith("a@1000 EVENT_TIME r1 n9");
  }
}
