package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Columns;
import org.junit.jupiter.api.Test;

/** When sensors are forgotten, and when the marks of forgotten sensors are purged. */
class ForgottenSensorsTest extends PartitionWindowsFixture {
  /** A leader ahead by more than the sensors' ttl: nobody is forgotten, nothing is late. */
  @Test
  void clockAheadByMoreThanTheTtl_forgetsNobody() {
    apply(100, new Columns().row("a", 95, 1).row("b", 95, 1));
    for (long ahead = 5000; ahead < 5300; ahead += 10) {
      apply(ahead, new Columns().row("b", 96, 1));
      upkeep();
    }
    assertThat(apply(110, new Columns().row("a", 97, 1).row("b", 97, 1))).isZero();
  }

  @Test
  void sensorSilentForItsTtl_isForgotten_lastWindowsEmitted_oldReadingsLate() {
    apply(100, new Columns().row("a", 101, 1).row("b", 101, 1));
    for (long appendMs = 110; appendMs <= 1000; appendMs += 10) {
      apply(appendMs, new Columns().row("b", appendMs, 1));
      upkeep(appendMs);
    }
    emissions.take();
    assertThat(apply(1001, new Columns().row("a", 100, 1))).isZero();
    for (long appendMs = 1010; appendMs <= 3000; appendMs += 10) {
      apply(appendMs, new Columns().row("b", appendMs, 1));
      upkeep(appendMs);
    }
    assertThat(emissions.brief()).contains("a@100 IDLE r1 n2 bad0 sum2.0");
    assertThat(windows.sensors()).isEqualTo(2);
    assertThat(apply(3001, new Columns().row("a", 109, 1).row("a", 50, 1))).isEqualTo(2);
    assertThat(apply(3002, new Columns().row("a", 110, 1).row("a", 50, 1))).isEqualTo(1);
  }

  @Test
  void windowsOpenWhenForgotten_areEmittedInSlices() {
    windows = new PartitionWindows(spec(HOUR_MS, 0), WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 1, 1).row("a", 11, 1).row("a", 21, 1));
    for (long appendMs = 110; appendMs <= 1110; appendMs += 10) {
      apply(appendMs, new Columns());
    }
    for (int i = 0; i < 20; i++) {
      windows.upkeep(time, 2, emissions);
    }
    assertThat(emissions.brief())
        .containsExactly(
            "a@0 IDLE r0 n1 bad0 sum1.0",
            "a@10 IDLE r0 n1 bad0 sum1.0",
            "a@20 IDLE r0 n1 bad0 sum1.0");
    assertThat(apply(1111, new Columns().row("a", 29, 1))).isEqualTo(1);
  }

  @Test
  void silenceOfTheWholePartition_isNotASensorsSilence() {
    apply(100, new Columns().row("a", 95, 1));
    apply(5000, new Columns().row("b", 5000, 1));
    upkeep();
    assertThat(apply(5001, new Columns().row("a", 96, 1))).isZero();
  }

  @Test
  void mark_keptForItsTime_isPurged() {
    apply(100, new Columns().row("a", 95, 1));
    assertThat(windows.awaitsTime()).isTrue();
    pass(6099);
    assertThat(windows.sensors()).isEqualTo(1);
    assertThat(windows.awaitsTime()).isTrue();
    pass(6100);
    assertThat(windows.sensors()).isZero();
    assertThat(windows.awaitsTime()).isFalse();
    assertThat(apply(6101, new Columns().row("a", 95, 1))).isZero();
  }

  @Test
  void markThatWokeUp_isNotPurgedByItsOldDeadline() {
    apply(100, new Columns().row("a", 95, 1));
    pass(3000);
    apply(3010, new Columns().row("a", 3000, 1));
    pass(6500);
    assertThat(windows.sensors()).isEqualTo(1);
  }

  @Test
  void markThatSleptTwice_isPurgedOnce_andANewSensorOfItsIdStays() {
    apply(100, new Columns().row("a", 95, 1));
    pass(2000);
    apply(2010, new Columns().row("a", 2000, 1));
    pass(8020);
    assertThat(windows.sensors()).isZero();
    assertThat(windows.changes().purged()).hasSize(1);
    windows.changes().clear();
    apply(8021, new Columns().row("a", 8020, 1));
    pass(8900);
    assertThat(windows.changes().purged()).isEmpty();
    assertThat(windows.sensors()).isEqualTo(1);
  }

  /** Read back from what was kept, it would be there once: the slice must hold as much. */
  @Test
  void markThatSleptTwice_countsOnceAgainstTheSlice() {
    apply(100, new Columns().row("a", 95, 1));
    pass(2000);
    apply(2010, new Columns().row("a", 2000, 1).row("b", 2000, 1));
    pass(8009);
    assertThat(windows.sensors()).isEqualTo(2);
    time.observe(8010);
    windows.upkeep(time, 2, emissions);
    assertThat(windows.sensors()).isZero();
  }
}
