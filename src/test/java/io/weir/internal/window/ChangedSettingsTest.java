package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Columns;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Grace and lateness act forward: evicted windows stay evicted. */
class ChangedSettingsTest {
  private final Emissions emissions = new Emissions();
  private final PartitionWindows before = new PartitionWindows(spec(10, 20), WindowLimits.DEFAULT);
  private PartitionWindows after;

  private static WindowSpec spec(long graceMs, long latenessMs) {
    return WindowSpec.of(10, graceMs, latenessMs, 30, WindowSpec.IdleRule.ENDED, 1000);
  }

  /** Watermark 55: closed through 45, evicted through 25. */
  @BeforeEach
  void keep() {
    before.apply(
        new Columns().row("a", 15, 1).row("a", 25, 1).row("a", 35, 1).row("a", 45, 1).build(),
        1,
        emissions);
    before.apply(new Columns().row("a", 55, 1).build(), 2, emissions);
    assertThat(emissions.brief())
        .containsExactly(
            "a@10 EVENT_TIME r0 n1 bad0 sum1.0",
            "a@20 EVENT_TIME r0 n1 bad0 sum1.0",
            "a@30 EVENT_TIME r0 n1 bad0 sum1.0");
  }

  private void startWith(long graceMs, long latenessMs) {
    after = new PartitionWindows(spec(graceMs, latenessMs), WindowLimits.DEFAULT);
    for (SensorWindows kept : before.changes().touched()) {
      SensorWindows sensor = after.restored(kept.id(), 0, kept.id().length, kept.hash());
      sensor.resume(
          kept.watermarkMs(),
          kept.evictedThroughMs(),
          kept.attestedThroughMs(),
          kept.withheldThroughMs(),
          kept.lastActiveMs());
      for (int i = 0; i < kept.windows(); i++) {
        Window window = kept.window(i);
        Window again =
            new Window(
                window.startMs(),
                window.emissions(),
                window.closed(),
                window.isComplete(),
                window.changedSinceEmit(),
                false);
        again.restore(window);
        sensor.resume(spec(0, 0), again, null);
      }
    }
    after.resume();
  }

  private int apply(Columns batch) {
    return after.apply(batch.build(), 3, emissions);
  }

  @Test
  void sameSettings_goOn() {
    startWith(10, 20);
    assertThat(apply(new Columns().row("a", 19, 1).row("a", 20, 1).row("a", 46, 1))).isEqualTo(1);
    assertThat(emissions.brief()).containsExactly("a@20 AMENDED r1 n2 bad0 sum2.0");
  }

  @Test
  void graceLarger_evictedWindowsStayEvicted_closedOnesStayClosed() {
    startWith(1000, 20);
    assertThat(apply(new Columns().row("a", 19, 1))).isEqualTo(1);
    assertThat(apply(new Columns().row("a", 20, 1).row("a", 46, 1))).isZero();
    assertThat(emissions.brief()).containsExactly("a@20 AMENDED r1 n2 bad0 sum2.0");
  }

  @Test
  void latenessLarger_evictedWindowsStayEvicted() {
    startWith(10, 1000);
    assertThat(apply(new Columns().row("a", 19, 1).row("a", 1, 1))).isEqualTo(2);
    assertThat(apply(new Columns().row("a", 20, 1).row("a", 500, 1))).isZero();
    assertThat(emissions.brief())
        .containsExactly(
            "a@20 AMENDED r1 n2 bad0 sum2.0",
            "a@40 EVENT_TIME r0 n1 bad0 sum1.0",
            "a@50 EVENT_TIME r0 n1 bad0 sum1.0");
    assertThat(apply(new Columns().row("a", 21, 1))).isZero();
  }

  @Test
  void graceSmaller_openWindowTakesTheBatch_andClosesAtItsEnd() {
    startWith(0, 20);
    assertThat(apply(new Columns().row("a", 46, 1))).isZero();
    assertThat(emissions.brief()).containsExactly("a@40 EVENT_TIME r0 n2 bad0 sum2.0");
    assertThat(apply(new Columns().row("a", 29, 1).row("a", 30, 1))).isEqualTo(1);
    assertThat(emissions.brief()).containsExactly("a@30 AMENDED r1 n2 bad0 sum2.0");
  }
}
