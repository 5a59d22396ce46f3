package io.weir.topology;

import static io.weir.topology.Batches.bad;
import static io.weir.topology.Batches.batch;
import static io.weir.topology.Batches.reading;
import static io.weir.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.store.StateMismatchException;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import io.weir.window.WindowSpec;
import io.weir.wire.Tick;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** What a window means, paragraph by paragraph. Windows of 10 s, grace 5 s, idle after 30 s. */
class WindowMeaningTest {
  /** An append time; event times are near it. */
  private static final long T = 1_700_000_000_000L;

  private static final String A = sensor(0);
  private static final String B = sensor(1);
  private static final WindowSpec SPEC = WeirDriver.SPEC;

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
  void idleSensor_windowOver_isEmittedAndKeptAndGoesOn() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.silence(29_000);
      assertThat(weir.windows()).isEmpty();
      weir.silence(3_000);
      WindowSummary idle = only(weir.windows());
      assertThat(idle.getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_IDLE);
      assertThat(idle.getRevision()).isZero();

      weir.send(T + 33_000, batch(reading(A, T + 5_000, 10)));
      weir.send(T + 33_000, batch(reading(A, T + 15_000, 100)));

      WindowSummary closed = only(weir.windows());
      assertThat(closed.getCount()).isEqualTo(2);
      assertThat(closed.getSum()).isEqualTo(11);
      assertThat(closed.getRevision()).isEqualTo(1);
      assertThat(closed.getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_EVENT_TIME);
    }
  }

  @Test
  void idleWindow_nothingAdded_isNotEmittedTwice() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.silence(40_000);
      assertThat(weir.windows()).hasSize(1);

      weir.silence(100_000);
      weir.send(T + 140_000, batch(reading(A, T + 140_000, 1)));

      assertThat(weir.windows()).isEmpty();
    }
  }

  @Test
  void idleSensor_windowNotOverInPartitionTime_waits() {
    WindowSpec hourly =
        WindowSpec.of(3_600_000, 5_000, 0, 30_000, SPEC.idleRule(), Duration.ofDays(1).toMillis());
    long hour = T - T % 3_600_000;
    try (WeirDriver weir = new WeirDriver(hourly)) {
      weir.send(hour, batch(reading(A, hour + 1, 1)));
      weir.silence(3_604_000);
      assertThat(weir.windows()).isEmpty();

      weir.silence(11_000);

      assertThat(only(weir.windows()).getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_IDLE);
    }
  }

  @Test
  void idleness_isJudgedByAppendTimes_whileRecordsOfOthersCome() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.send(T + 29_000, batch(reading(B, T + 29_000, 1)));
      assertThat(weir.windows()).isEmpty();
      weir.clock(2_000);
      weir.send(T + 31_000, batch(reading(B, T + 31_000, 1)));

      assertThat(only(weir.windows()).getSensorId()).isEqualTo(A);
    }
  }

  @Test
  void silenceOfManySensors_isEmittedInSlices() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      io.weir.v1.Reading[] readings = new io.weir.v1.Reading[9_000];
      for (int from = 0; from < 27_000; from += 9_000) {
        for (int i = 0; i < 9_000; i++) {
          readings[i] = reading(MANY.get(from + i), T, 1);
        }
        weir.send(T, batch(readings));
      }
      weir.silence(30_000);
      assertThat(weir.windows()).hasSize(10_000);
      weir.silence(1_000);
      assertThat(weir.windows()).hasSize(10_000);
      weir.silence(1_000);
      assertThat(weir.windows()).hasSize(7_000);
    }
  }

  private static final List<String> MANY =
      java.util.stream.IntStream.iterate(0, n -> n + 1)
          .mapToObj(n -> "m" + n)
          .filter(id -> io.weir.topic.SensorPartition.of(id) == 0)
          .limit(27_000)
          .toList();

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

  @Test
  void forgottenSensor_oldReading_isLateAndANewOneIsNot() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      long day = Duration.ofDays(1).toMillis();
      keepAlive(weir, T, T + day + 60_000);
      weir.windows();

      weir.send(T + day + 70_000, batch(reading(A, T + 1, 1)));
      assertThat(weir.late()).hasSize(1);
      weir.send(T + day + 70_001, batch(reading(A, T + 10_000, 1)));
      assertThat(weir.late()).isEmpty();
      assertThat(weir.counts().aggregated).isGreaterThan(1);
    }
  }

  @Test
  void sensorTtl_passes_lastWindowsAreEmittedAndTheStateHoldsOneNumber_forItsTime() {
    long week = Duration.ofDays(7).toMillis();
    WindowSpec weekly =
        WindowSpec.of(week, 0, 0, 30_000, SPEC.idleRule(), 600_000).withMarkTtlMs(1_800_000);
    try (WeirDriver weir = new WeirDriver(weekly)) {
      weir.send(T, batch(reading(A, T, 1)));
      keepAlive(weir, T, T + 599_999);
      assertThat(weir.windows()).isEmpty();
      keepAlive(weir, T + 600_000, T + 600_000);

      assertThat(only(weir.windows()).getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_IDLE);
      keepAlive(weir, T + 625_000, T + 2_399_999);
      weir.silenceUntilAsked(1_000);
      assertThat(weir.counts().sensors).isEqualTo(2);
      keepAlive(weir, T + 2_400_000, T + 2_400_000);
      weir.silenceUntilAsked(1_000);
      assertThat(weir.counts().sensors).isEqualTo(1);
    }
  }

  @Test
  void silenceOfTheWholePartition_forgetsNobodyAtOnce() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.silence(40_000);
      long twoDays = 2 * Duration.ofDays(1).toMillis();
      weir.clock(2_000);
      weir.send(T + twoDays, batch(reading(B, T, 1)));
      weir.clock(2_000);
      weir.send(T + twoDays + 29_000, batch(reading(A, T + 1, 1)));

      assertThat(weir.late()).isEmpty();
    }
  }

  /** Nobody looked, and nobody asked for a tick: what passed is cut to one idle timeout. */
  @Test
  void outageOfTheBrokersOrTheApplication_isNotASensorsSilence() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      long later = T + Duration.ofDays(3).toMillis();
      weir.restart();
      weir.send(later, batch(reading(B, later, 1)));
      weir.send(later + 1_000, batch(reading(A, T + 1, 1)));

      assertThat(weir.late()).isEmpty();
    }
  }

  @Test
  void sensorSilentForItsTtl_whileTicksCome_isForgotten() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.silence(Duration.ofDays(1).toMillis() + 10_000);
      long later = T + Duration.ofDays(1).toMillis() + 20_000;
      weir.send(later, batch(reading(A, T + 1, 1)));

      assertThat(weir.late()).hasSize(1);
    }
  }

  /** The clock of the application asks; what comes of it is decided by the next record. */
  @Test
  void clockOfTheApplication_runsOn_decidesNothing() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.clock(Duration.ofDays(2).toMillis());
      weir.send(T + 29_999, batch(reading(B, T + 29_999, 1)));
      assertThat(weir.windows()).isEmpty();

      weir.tick(T + 30_000);
      assertThat(only(weir.windows()).getSensorId()).isEqualTo(A);
    }
  }

  @Test
  void tick_isNoBatch_andLeavesNoTrace() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.tick(T);

      assertThat(weir.counts().batches).isZero();
      assertThat(weir.deadLetters()).isEmpty();
    }
  }

  /** A header is accepted of an empty record only: what has readings is a batch. */
  @Test
  void batchWithTheHeaderOfATick_isABatch() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      Headers headers = new RecordHeaders();
      Tick.mark(headers);
      weir.send(T, null, batch(reading(A, T, 1)).toByteArray(), headers);

      assertThat(weir.counts().aggregated).isEqualTo(1);
    }
  }

  @Test
  void ticks_areAskedForWhileSomethingWaits_andOnceOnTakingOver() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.silenceUntilAsked(29_000);
      assertThat(weir.asked()).isEmpty();
      weir.send(T, batch(reading(A, T, 1)));
      weir.restart();
      assertThat(weir.asked()).isEmpty();
      weir.silenceUntilAsked(1_000);
      assertThat(weir.asked()).containsExactly(0);
    }
  }

  /** The longest that a setting takes: such times lie beyond what a long holds. */
  @Test
  void aSensorThatIsToBeKeptForEver_isNeitherForgottenNorIdle() {
    long forEver = Duration.ofDays(106_751_991_167L).toMillis();
    for (WindowSpec spec :
        List.of(
            WindowSpec.of(10_000, 5_000, 0, 30_000, SPEC.idleRule(), forEver),
            WindowSpec.of(10_000, 5_000, 0, forEver, SPEC.idleRule(), forEver),
            WindowSpec.of(10_000, forEver, 0, 30_000, SPEC.idleRule(), forEver))) {
      try (WeirDriver weir = new WeirDriver(spec)) {
        weir.send(T, batch(reading(A, T, 1)));
        weir.send(T + 31_000, batch(reading(A, T + 1, 2)));
        assertThat(weir.late()).isEmpty();
        weir.silence(60_000);
        boolean idle = spec.idleTimeoutMs() == 30_000 && spec.graceMs() == 5_000;
        assertThat(weir.windows()).hasSize(idle ? 1 : 0);
      }
    }
  }

  @Test
  void changedWindowSize_stopsTheStart() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      WindowSpec larger = WindowSpec.of(60_000, 5_000, 0, 30_000, SPEC.idleRule(), 86_400_000);

      assertThatThrownBy(() -> weir.restart(larger))
          .isInstanceOf(StateMismatchException.class)
          .hasMessageContaining("10000ms")
          .hasMessageContaining("weir.application.id")
          .hasMessageContaining("reset");
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

  @Test
  void restart_whileSensorIsSilent_emitsItsWindow_withoutAnotherRecord() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.restart();
      weir.silence(31_000);

      assertThat(only(weir.windows()).getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_IDLE);
    }
  }

  private static WindowSpec lateness(long latenessMs) {
    return WindowSpec.of(10_000, 5_000, latenessMs, 30_000, SPEC.idleRule(), 86_400_000);
  }

  /** Another sensor sends often enough for the partition never to be silent. */
  private static void keepAlive(WeirDriver weir, long fromMs, long toMs) {
    for (long appendMs = fromMs; appendMs <= toMs; appendMs += 25_000) {
      weir.clock(1_000);
      weir.send(appendMs, batch(reading(B, T - 100_000, 1)));
    }
    weir.clock(1_000);
    weir.send(toMs, batch(reading(B, T - 100_000, 1)));
  }

  private static <X> X only(List<X> list) {
    assertThat(list).hasSize(1);
    return list.get(0);
  }
}
