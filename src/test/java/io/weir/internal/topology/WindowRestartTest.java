package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.store.StateMismatchException;
import io.weir.internal.window.WindowSpec;
import io.weir.v1.WindowSummary;
import org.junit.jupiter.api.Test;

/** What a restart keeps, and what other settings change. */
class WindowRestartTest extends WindowFixture {
  @Test
  void changedWindowSize_stopsTheStart() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      WindowSpec larger = WindowSpec.of(60_000, 5_000, 0, 30_000, SPEC.idleRule(), 86_400_000);

      assertThatThrownBy(() -> weir.restart(larger))
          .isInstanceOf(StateMismatchException.class)
          .hasMessageContaining("10000ms")
          .hasMessageContaining("weir.application.id")
          .hasMessageContaining("runbook.md, Reset");
    }
  }

  @Test
  void largerGraceAndLateness_actForward() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.send(T, batch(reading(A, T + 15_000, 1)));
      weir.restart(WindowSpec.of(10_000, 60_000, 60_000, 30_000, SPEC.idleRule(), 86_400_000));

      weir.send(T, batch(reading(A, T + 1, 1), reading(A, T + 10_001, 1)));

      assertThat(only(weir.late()).batch().getReadingsList()).containsExactly(reading(A, T + 1, 1));
    }
  }

  @Test
  void smallerGrace_closesWhatItPassed_withTheNextReading() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.send(T, batch(reading(A, T + 14_000, 1)));
      weir.restart(WindowSpec.of(10_000, 0, 0, 30_000, SPEC.idleRule(), 86_400_000));
      weir.send(T, batch(reading(A, T + 14_001, 1)));

      assertThat(only(weir.windows()).getWindowStartMs()).isEqualTo(T);
    }
  }

  @Test
  void oneSensor_withManyKeptWindows_hasNoEntryThatGrows() {
    try (WeirDriver weir = new WeirDriver(lateness(Long.MAX_VALUE / 4))) {
      for (int i = 0; i < 20; i++) {
        io.weir.v1.Reading[] readings = new io.weir.v1.Reading[1_000];
        for (int j = 0; j < 1_000; j++) {
          readings[j] = reading(A, 10_000L * (1 + i * 1_000 + j), j);
        }
        weir.send(T, batch(readings));
      }

      assertThat(weir.changelogEntries('W')).isGreaterThan(19_000);
      assertThat(weir.largestChangelogEntry()).isLessThan(400);
      weir.restart();
      weir.windows();
      weir.send(T, batch(reading(A, 10_000, 5)));
      assertThat(only(weir.windows()).getCount()).isEqualTo(2);
    }
  }

  @Test
  void restart_keepsWindowsRevisionsAndTime() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 0.1), reading(A, T, 0.2)));
      weir.silence(40_000);
      assertThat(weir.windows()).hasSize(1);
      weir.restart();
      weir.send(T + 41_000, batch(reading(A, T, 0.3), reading(A, T + 60_000, 0.3)));

      WindowSummary window = only(weir.windows());
      assertThat(window.getRevision()).isEqualTo(1);
      assertThat(window.getCount()).isEqualTo(3);
      assertThat(window.getSum()).isEqualTo(0.6);
      weir.restart();
      weir.send(T + 42_000, batch(reading(A, T + 9_999, 1)));
      assertThat(weir.late()).hasSize(1);
    }
  }
}
