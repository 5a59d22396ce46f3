package io.weir.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Columns;
import io.weir.reading.IdBytes;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PartitionWindowsTest {
  private static final long HOUR_MS = 3_600_000;

  private final Emissions emissions = new Emissions();
  private PartitionWindows windows =
      new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(1_000));
  private final PartitionTime time = new PartitionTime(30);

  /** Windows of 10 ms, idle after 30 ms, forgotten after 1000 ms, their marks after 5000 more. */
  private static WindowSpec spec(long graceMs, long latenessMs) {
    return WindowSpec.of(10, graceMs, latenessMs, 30, WindowSpec.IdleRule.ENDED, 1000)
        .withMarkTtlMs(5000);
  }

  private int apply(long appendMs, Columns batch) {
    return apply(appendMs, batch.build());
  }

  private int apply(long appendMs, ReadingColumns batch) {
    time.observe(appendMs);
    return windows.apply(batch, time.logMs(), emissions);
  }

  /** A record without readings comes. */
  private boolean upkeep(long appendMs) {
    time.observe(appendMs);
    return upkeep();
  }

  private boolean upkeep() {
    return windows.upkeep(time, 1000, emissions);
  }

  /** Records without readings come, often enough for no silence to be cut. */
  private void pass(long toMs) {
    while (time.appendMs() < toMs) {
      upkeep(Math.min(toMs, time.appendMs() + 30));
    }
  }

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
  void lateReadingAlone_doesNotKeepTheSensorAwake() {
    apply(100, new Columns().row("a", 1, 1).row("a", 15, 1));
    emissions.take();
    apply(129, new Columns().row("a", 1, 1));
    upkeep(131);
    assertThat(emissions.brief()).containsExactly("a@10 IDLE r0 n1 bad0 sum1.0");
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
  void moreSensorsThanAreKept_newOnesAreRefused_knownOnesAndOthersOfTheirBatchGoOn() {
    windows = new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(2));
    apply(100, new Columns().row("a", 1, 1).row("b", 1, 1));
    ReadingColumns batch =
        new Columns().row("a", 2, 1).row("c", 2, 1).row("b", 2, 1).row("c", 3, 1).build();
    assertThat(apply(101, batch)).isZero();

    assertThat(windows.refused()).isEqualTo(2);
    assertThat(batch.verdict(1)).isEqualTo(Verdict.rejected(RejectReason.TOO_MANY_SENSORS));
    assertThat(windows.sensors()).isEqualTo(2);
    apply(102, new Columns().row("a", 20, 1));
    assertThat(windows.refused()).isZero();
    assertThat(emissions.brief()).containsExactly("a@0 EVENT_TIME r0 n2 bad0 sum2.0");
  }

  @Test
  void moreSensorsThanAGatewayMaySend_itsNewOnesAreRefused_othersSendTheirs() {
    windows = new PartitionWindows(spec(5, 0), new WindowLimits(1_000, 2, 1_000));
    apply(100, of("g", new Columns().row("a", 1, 1).row("b", 1, 1).row("c", 1, 1)));
    assertThat(windows.refused()).isEqualTo(1);
    apply(101, of("h", new Columns().row("c", 2, 1)));
    assertThat(windows.refused()).isZero();
    apply(102, of("g", new Columns().row("a", 3, 1).row("c", 3, 1)));
    assertThat(windows.refused()).isZero();
    assertThat(windows.owners().mostSensorsOfOne()).isEqualTo(2);
  }

  @Test
  void batchesWithoutBootId_areOfOneGateway_whateverTheyAreCalled() {
    windows = new PartitionWindows(spec(5, 0), new WindowLimits(1_000, 2, 1_000));
    for (String id : new String[] {"a", "b", "c"}) {
      apply(100, new Columns().gateway(id, 0, 0).row(id, 1, 1));
    }
    assertThat(windows.refused()).isEqualTo(1);
  }

  @Test
  void purgedSensor_makesRoomForItsGateway() {
    windows = new PartitionWindows(spec(5, 0), new WindowLimits(1_000, 1, 1_000));
    apply(100, of("g", new Columns().row("a", 95, 1)));
    pass(6099);
    apply(6099, of("g", new Columns().row("b", 6099, 1)));
    assertThat(windows.refused()).isEqualTo(1);
    pass(6100);
    apply(6101, of("g", new Columns().row("b", 6100, 1)));
    assertThat(windows.refused()).isZero();
  }

  private static Columns of(String gateway, Columns batch) {
    return batch.gateway(gateway, 1, 1);
  }

  @Test
  void windowsThatABatchWouldOpen_areCountedBeforehand() {
    windows = new PartitionWindows(spec(0, 0), new WindowLimits(1_000, 1_000, 3));
    apply(100, new Columns().row("a", 1, 1));
    Columns three = new Columns();
    for (int i = 0; i < 4; i++) {
      three.row("a", 1 + 10 * i, 1).row("b", 5, 1);
    }
    assertThat(opensTooMany(three.row("a", 15, 1))).as("a@10, a@20, a@30, b@0").isTrue();
    assertThat(
            opensTooMany(
                new Columns()
                    .row("a", 5, 1)
                    .row("b", 1, 1)
                    .row("b", 2, 1)
                    .row("b", 11, 1)
                    .row("a", 12, 1)))
        .as("b@0, b@10, a@10")
        .isFalse();
    assertThat(windows.sensors()).as("nothing changes").isEqualTo(1);
    apply(101, new Columns().row("a", 100, 1));
    assertThat(
            opensTooMany(
                new Columns().row("a", 1, 1).row("a", 11, 1).row("a", 21, 1).row("a", 31, 1)))
        .as("late readings open none")
        .isFalse();
  }

  private boolean opensTooMany(Columns columns) {
    ReadingColumns batch = columns.build();
    windows.recognise(batch);
    return windows.opensTooMany(batch);
  }

  /** The mark of a forgotten sensor keeps its place: it is what makes old readings late. */
  @Test
  void markThatWakesUp_isNoNewSensor() {
    windows = new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(1));
    apply(100, new Columns().row("a", 95, 1));
    pass(2000);
    apply(2001, new Columns().row("b", 2000, 1));
    assertThat(windows.refused()).isEqualTo(1);
    apply(2002, new Columns().row("a", 2000, 1));
    assertThat(windows.refused()).isZero();
  }

  @Test
  void sensorsThatWereKept_arePutBack_howeverManyMayBe() {
    windows = new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(1));
    for (String id : new String[] {"a", "b"}) {
      byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
      windows.restored(bytes, 0, 1, IdBytes.hash(bytes, 0, 1)).resume(90, 0, Long.MIN_VALUE, 90);
    }
    windows.resume();
    assertThat(windows.sensors()).isEqualTo(2);
    apply(100, new Columns().row("a", 95, 1).row("b", 95, 1));
    assertThat(windows.refused()).isZero();
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
    sensor.resume(1, Long.MIN_VALUE, Long.MIN_VALUE, 100);
    Window kept = new Window(0, 0, false, false, true, false);
    kept.restore(2, 0, 2, 0, null, 1, 1, null);
    sensor.resume(spec(0, 0), kept, null);
    windows.resume();
    apply(102, new Columns().row("a", 2, 1).row("a", 15, 1));
    assertThat(emissions.brief()).containsExactly("a@0 EVENT_TIME r0 n3 bad0 sum3.0");
  }
}
