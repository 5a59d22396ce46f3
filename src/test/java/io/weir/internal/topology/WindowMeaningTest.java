package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.bad;
import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a window means, paragraph by paragraph. Windows of 10 s, grace 5 s, idle after 30 s. */
class WindowMeaningTest extends WindowFixture {
  @Test
  void window_watermarkReachesEndAndGrace_closesWithItsAggregate() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1.5), reading(A, T + 9_999, -2), reading(A, T + 3, 8)));
      weir.send(T, batch(reading(A, T + 14_999, 100)));
      assertThat(weir.windows()).isEmpty();

      weir.send(T, batch(reading(A, T + 15_000, 100)));

      WindowSummary window = only(weir.windows());
      assertThat(window.getSensorId()).isEqualTo(A);
      assertThat(window.getWindowStartMs()).isEqualTo(T);
      assertThat(window.getWindowEndMs()).isEqualTo(T + 10_000);
      assertThat(window.getCount()).isEqualTo(3);
      assertThat(window.getSum()).isEqualTo(7.5);
      assertThat(window.getMin()).isEqualTo(-2);
      assertThat(window.getMax()).isEqualTo(8);
      assertThat(window.getRevision()).isZero();
      assertThat(window.getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_EVENT_TIME);
    }
  }

  /** The table of docs/windows.md, line by line. */
  @Test
  void workedExample_happensAsDocumented() {
    long noon = 1_700_049_600_000L;
    try (WeirDriver weir = new WeirDriver(lateness(20_000))) {
      arrive(weir, noon, 1, 1, 70);
      arrive(weir, noon, 8, 8, 72);
      assertThat(weir.windows()).isEmpty();
      arrive(weir, noon, 16, 16, 71);
      assertEmitted(weir, noon, CloseReason.CLOSE_REASON_EVENT_TIME, 0, 2, 142);
      arrive(weir, noon, 17, 9, 75);
      assertEmitted(weir, noon, CloseReason.CLOSE_REASON_AMENDED, 1, 3, 217);
      weir.silence(29_000);
      assertThat(weir.windows()).isEmpty();
      weir.silence(2_000);
      assertEmitted(weir, noon + 10_000, CloseReason.CLOSE_REASON_IDLE, 0, 1, 71);
      arrive(weir, noon, 48, 18, 73);
      arrive(weir, noon, 50, 40, 70);
      assertEmitted(weir, noon + 10_000, CloseReason.CLOSE_REASON_EVENT_TIME, 1, 2, 144);
      arrive(weir, noon, 51, 5, 74);
      assertThat(weir.windows()).isEmpty();
      assertThat(weir.late()).hasSize(1);
    }
  }

  private static void arrive(WeirDriver weir, long noon, int at, int eventTime, double value) {
    weir.send(noon + at * 1_000L, batch(reading(A, noon + eventTime * 1_000L, value)));
  }

  private static void assertEmitted(
      WeirDriver weir, long startMs, CloseReason reason, int revision, long count, double sum) {
    WindowSummary window = only(weir.windows());
    assertThat(window.getWindowStartMs()).isEqualTo(startMs);
    assertThat(window.getCloseReason()).isEqualTo(reason);
    assertThat(window.getRevision()).isEqualTo(revision);
    assertThat(window.getCount()).isEqualTo(count);
    assertThat(window.getSum()).isEqualTo(sum);
  }

  @Test
  void clockOfOneSensor_runsAhead_closesNobodyElsesWindows() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1), reading(B, T, 2)));
      weir.send(T, batch(reading(B, T + 200_000, 2)));

      assertThat(weir.windows()).extracting(WindowSummary::getSensorId).containsExactly(B);
    }
  }

  @Test
  void backlog_afterAnHourOffline_isNotLate() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1), reading(B, T, 1)));
      long later = T + 3_600_000;
      weir.send(later, batch(reading(B, later, 1)));
      weir.windows();

      weir.send(later, batch(reading(A, T + 60_000, 1), reading(A, T + 600_000, 2)));
      weir.send(later, batch(reading(A, T + 3_590_000, 3)));

      assertThat(weir.late()).isEmpty();
      assertThat(weir.counts().aggregated).isEqualTo(6);
    }
  }

  @Test
  void orderInABatch_meansNothing() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T + 60_000, 1), reading(A, T, 1), reading(A, T + 25_000, 1)));

      assertThat(weir.late()).isEmpty();
      assertThat(weir.windows())
          .extracting(WindowSummary::getWindowStartMs)
          .containsExactly(T, T + 20_000);
    }
  }

  @Test
  void badReading_movesTheWatermarkAndCountsApart() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 4), bad(A, T + 1, 1e300)));
      weir.send(T, batch(bad(A, T + 15_000, 7)));
      weir.send(T, batch(bad(A, T + 40_000, 7)));

      List<WindowSummary> windows = weir.windows();
      assertThat(windows).hasSize(2);
      assertThat(windows.get(0).getCount()).isEqualTo(1);
      assertThat(windows.get(0).getBadCount()).isEqualTo(1);
      assertThat(windows.get(0).getMax()).isEqualTo(4);
      assertThat(windows.get(1).getCount()).isZero();
      assertThat(windows.get(1).getBadCount()).isEqualTo(1);
      assertThat(windows.get(1).getSum()).isZero();
    }
  }

  @Test
  void lateReading_afterClose_goesToLateTopic() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T + 15_000, 1)));
      weir.send(T + 1, batch(reading(A, T + 9_999, 5), reading(A, T + 10_000, 6)));

      DeadLetter late = only(weir.late());
      assertThat(late.batch().getReadingsList()).containsExactly(reading(A, T + 9_999, 5));
      assertThat(weir.counts().late).isEqualTo(1);
      assertThat(weir.counts().aggregated).isEqualTo(2);
    }
  }

  @Test
  void readingWithinAllowedLateness_amendsTheWindowOncePerBatch() {
    try (WeirDriver weir = new WeirDriver(lateness(20_000))) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.send(T, batch(reading(A, T + 34_999, 1)));
      assertThat(weir.windows()).hasSize(1);

      weir.send(T, batch(reading(A, T + 1, 2), reading(A, T + 2, 3)));
      WindowSummary amended = only(weir.windows());
      assertThat(amended.getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_AMENDED);
      assertThat(amended.getRevision()).isEqualTo(1);
      assertThat(amended.getSum()).isEqualTo(6);

      weir.send(T, batch(reading(A, T + 10_000, 9)));
      WindowSummary first = only(weir.windows());
      assertThat(first.getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_AMENDED);
      assertThat(first.getRevision()).isZero();

      weir.send(T, batch(reading(A, T + 35_000, 1)));
      weir.send(T, batch(reading(A, T + 3, 1)));
      assertThat(weir.late()).hasSize(1);
    }
  }

  @Test
  void windowThatGetsReadingsAndClosesInOneBatch_isEmittedOnce() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.send(T, batch(reading(A, T + 1, 1), reading(A, T + 20_000, 1), reading(A, T + 2, 1)));

      assertThat(only(weir.windows()).getCount()).isEqualTo(3);
    }
  }
}
