package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Columns;
import io.weir.reading.IdBytes;
import io.weir.reading.ReadingColumns;
import io.weir.reading.Verdict;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** When windows close and are amended, and which readings are late. */
class PartitionWindowsTest extends PartitionWindowsFixture {
  @Test
  void window_watermarkReachesEndAndGrace_closes() {
    apply(100, new Columns().row("a", 1, 2).row("a", 9, 3).row("a", 14, 1));
    assertThat(emissions.brief()).isEmpty();
    apply(101, new Columns().row("a", 15, 1));
    assertThat(emissions.brief()).containsExactly("a@0 EVENT_TIME r0 n2 bad0 sum5.0");
  }

  @Test
  void window_badReadingMovesTime_countedApart() {
    apply(100, new Columns().row("a", 1, 2).bad("a", 2).bad("a", 15));
    assertThat(emissions.brief()).containsExactly("a@0 EVENT_TIME r0 n1 bad1 sum2.0");
  }

  @Test
  void otherSensorsClock_movesNobodyElse() {
    apply(100, new Columns().row("a", 1, 2).row("b", 500, 2));
    apply(101, new Columns().row("b", 5000, 2).row("a", 2, 3));
    assertThat(emissions.brief()).containsExactly("b@500 EVENT_TIME r0 n1 bad0 sum2.0");
  }

  @Test
  void orderInsideABatch_meansNothing() {
    int late = apply(100, new Columns().row("a", 95, 1).row("a", 3, 1).row("a", 50, 1));
    assertThat(late).isZero();
    assertThat(emissions.brief())
        .containsExactly("a@0 EVENT_TIME r0 n1 bad0 sum1.0", "a@50 EVENT_TIME r0 n1 bad0 sum1.0");
  }

  @Test
  void reading_afterItsWindowWasEvicted_isLateAndLeavesTheSensorAlone() {
    apply(100, new Columns().row("a", 1, 1).row("a", 15, 1));
    emissions.take();
    ReadingColumns batch = new Columns().row("a", 9, 1).row("a", 16, 1).row("a", 3, 1).build();
    assertThat(apply(101, batch)).isEqualTo(2);
    assertThat(new byte[] {batch.verdict(0), batch.verdict(1), batch.verdict(2)})
        .containsExactly(Verdict.LATE, Verdict.ACCEPTED, Verdict.LATE);
    assertThat(emissions.take()).isEmpty();
  }

  @Test
  void reading_withinLateness_amendsOnceABatch() {
    windows = new PartitionWindows(spec(5, 20), WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 1, 1).row("a", 20, 1));
    apply(101, new Columns().row("a", 2, 1).row("a", 21, 1).row("a", 3, 1).row("a", 26, 1));
    assertThat(emissions.brief())
        .containsExactly("a@0 EVENT_TIME r0 n1 bad0 sum1.0", "a@0 AMENDED r1 n3 bad0 sum3.0");
  }

  @Test
  void firstReadingOfAClosedWindow_withinLateness_isAmendedWithRevisionZero() {
    windows = new PartitionWindows(spec(5, 20), WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 30, 1));
    apply(101, new Columns().row("a", 14, 4).row("a", 15, 4));
    assertThat(emissions.brief()).containsExactly("a@10 AMENDED r0 n2 bad0 sum8.0");
  }

  @Test
  void amendmentInABatchThatLetsTheWindowGo_isEmittedBeforeItGoes() {
    windows = new PartitionWindows(spec(5, 20), WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 1, 1).row("a", 20, 1));
    emissions.take();
    apply(101, new Columns().row("a", 900, 1).row("a", 2, 1));
    assertThat(emissions.brief())
        .containsExactly("a@0 AMENDED r1 n2 bad0 sum2.0", "a@20 EVENT_TIME r0 n1 bad0 sum1.0");
    assertThat(apply(102, new Columns().row("a", 3, 1))).isEqualTo(1);
  }

  @Test
  void clearedInTheMiddleOfABatch_nothingOfItIsEmittedLater() {
    windows = new PartitionWindows(spec(5, 20), WindowLimits.ofSensors(1_000));
    apply(100, new Columns().row("a", 1, 1).row("a", 30, 1));
    ReadingColumns batch =
        new Columns().row("a", 2, 1).row("a", 900, 1).row("b", 1, 1).row("b", 90, 1).build();
    try {
      windows.apply(
          batch,
          101,
          (sensor, window, reason) -> {
            throw new IllegalStateException("the transaction was aborted");
          });
    } catch (IllegalStateException aborted) {
      windows.clear();
    }
    emissions.take();
    apply(102, new Columns().row("c", 1, 1));
    assertThat(emissions.take()).isEmpty();
    assertThat(windows.changes().touched()).hasSize(1);
  }

  @Test
  void sensorGoingOnFromWhatWasKept_afterItStoodBy_addsToTheWindowsPutBack() {
    apply(100, new Columns().row("a", 1, 1));
    byte[] id = "a".getBytes(StandardCharsets.UTF_8);
    SensorWindows sensor = windows.restored(id, 0, id.length, IdBytes.hash(id, 0, id.length));
    sensor.dropIf(window -> !window.detached());
    sensor.resume(1, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, 100);
    Window kept = new Window(0, 0, false, false, true, false);
    kept.restore(2, 0, 2, 0, null, 1, 1, null);
    sensor.resume(spec(0, 0), kept, null);
    windows.resume();
    apply(102, new Columns().row("a", 2, 1).row("a", 15, 1));
    assertThat(emissions.brief()).containsExactly("a@0 EVENT_TIME r0 n3 bad0 sum3.0");
  }
}
