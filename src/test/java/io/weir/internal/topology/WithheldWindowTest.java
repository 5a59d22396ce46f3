package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.ordered;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sequenced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.LoggedLines;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import io.weir.internal.store.KeptWindows;
import io.weir.internal.window.Omission;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.wire.LeftWindows;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records are deleted before they are read: windows that may lack some are not emitted. */
class WithheldWindowTest extends WindowFixture {
  /** Append times go back by an hour, and gateways' clocks are five minutes ahead. */
  private static final long WHOLE_FROM = T + Duration.ofMinutes(65).toMillis();

  @Test
  void windowThatMayLackDeletedReadings_isWithheld_andItsReadingsAreLate() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(7);
      weir.send(T, ordered(sequenced("g", 1L << 20, 1, reading(A, T, 1), reading(A, T + 1, 2))));
      weir.send(T + 1, ordered(sequenced("g", 1L << 20, 2, reading(A, T + 60_000, 3))));
      weir.silence(100_000);

      assertThat(weir.windows()).isEmpty();
      List<DeadLetter> late = weir.late();
      assertThat(late).extracting(DeadLetter::readings).containsExactly(2, 1);
      assertThat(late)
          .extracting(letter -> letter.header(DeadLetterHeaders.REASON))
          .containsOnly("WITHHELD");
      assertThat(late.get(0).header(DeadLetterHeaders.SEQUENCE)).isEqualTo("1");
      assertThat(weir.counts().withheld).isEqualTo(3);
      assertThat(weir.counts().windowsWithheld).isEqualTo(2);
      assertThat(weir.counts().deletedUnread).isEqualTo(7);
      assertThat(weir.counts().aggregated + weir.counts().late).isZero();
      assertThat(weir.deadLetters()).isEmpty();
    }
  }

  @Test
  void windowBehindAllThatMayBeDeleted_isEmitted_andTheOneBeforeIsNot() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(1);
      weir.send(T, batch(reading(A, T, 1)));
      weir.restart();
      weir.send(WHOLE_FROM, batch(reading(A, WHOLE_FROM - 1, 1), reading(A, WHOLE_FROM, 2)));
      weir.send(WHOLE_FROM + 20_000, batch(reading(A, WHOLE_FROM + 20_000, 3)));

      assertThat(weir.windows())
          .extracting(WindowSummary::getWindowStartMs, WindowSummary::getCount)
          .containsExactly(tuple(WHOLE_FROM, 1L));
      assertThat(weir.counts().withheld).isEqualTo(2);
    }
  }

  /** What was counted of it before is only a part. */
  @Test
  void windowThatWasOpen_isNotEmittedAfterACut_byTimeNorByAttestationNorByARestart() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, sequenced("g", 1L << 20, 1, reading(A, T, 1), reading(B, T, 1)));
      weir.cut(3);
      weir.send(T + 1, ordered(sequenced("g", 1L << 20, 2, reading(A, T + 9_000, 1))));
      weir.restart();
      weir.silence(100_000);
      long last = WHOLE_FROM + 9_999;
      weir.send(WHOLE_FROM, batch(reading(A, last, 1), reading(B, last, 1)));

      assertThat(weir.windows()).isEmpty();
      assertThat(weir.counts().windowsWithheld).isEqualTo(4);
    }
  }

  @Test
  void windowThatWasPublished_staysTheLastRecord_andMoreForItIsLate() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.send(T, batch(reading(A, T + 20_000, 1)));
      assertThat(weir.windows()).hasSize(1);
      weir.cut(3);
      weir.send(T + 1, batch(reading(A, T + 1, 1)));

      assertThat(weir.windows()).isEmpty();
      assertThat(only(weir.late()).header(DeadLetterHeaders.REASON)).isNull();
    }
  }

  @Test
  void readingsWhoseLossWasAccepted_count_alsoBehindTheSensorsTime() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.cut(3);
      weir.send(T + 1, batch(reading(A, T + 1, 2)));
      weir.send(T + 2, batch(reading(A, T + 10_000, 4)));
      weir.send(WHOLE_FROM, batch(reading(A, WHOLE_FROM + 60_000, 1)));
      assertThat(weir.windows()).isEmpty();

      weir.sendWithheld(WHOLE_FROM + 1, batch(reading(A, T + 1, 2)));
      assertThat(weir.windows()).isEmpty();
      assertThat(weir.late())
          .extracting(letter -> letter.header(DeadLetterHeaders.REASON))
          .containsOnly("WITHHELD");
      weir.acceptLoss(WHOLE_FROM + 1);
      assertThat(only(weir.windows()).getCount()).isEqualTo(1);
      weir.sendWithheld(WHOLE_FROM + 1, batch(reading(A, T + 1, 2)));
      WindowSummary first = only(weir.windows());
      assertThat(first.getCount()).isEqualTo(2);
      weir.restart();
      weir.sendWithheld(WHOLE_FROM + 2, batch(reading(A, T + 10_000, 4), reading(A, T + 2, 8)));

      assertThat(weir.windows())
          .extracting(
              WindowSummary::getWindowStartMs, WindowSummary::getCount, WindowSummary::getSum)
          .containsExactly(tuple(T + 10_000, 1L, 4.0), tuple(T, 3L, 11.0));
      weir.send(WHOLE_FROM + 3, batch(reading(A, WHOLE_FROM + 80_000, 1)));
      assertThat(only(weir.windows()).getWindowStartMs()).isEqualTo(WHOLE_FROM + 60_000);
    }
  }

  /** As many windows are kept as of a sensor whose time goes on. */
  @Test
  void manyReadingsWhoseLossWasAccepted_keepNoMoreWindowsThanOthers() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(1);
      weir.send(T, batch(reading(A, T, 1)));
      weir.acceptLoss(T);
      for (int i = 0; i < 300; i++) {
        weir.sendWithheld(T + i * 10_000L, batch(reading(A, T + i * 10_000L, 1)));
      }
      assertThat(weir.windows()).hasSize(300);
      assertThat(weir.changelogEntries('W')).isZero();

      weir.sendWithheld(T + 3_000_000, batch(reading(A, T, 1)));
      assertThat(weir.windows()).isEmpty();
      assertThat(weir.late()).hasSize(2);
    }
  }

  /** What was published of them would be followed by a part, from the first revision on. */
  @Test
  void withheldWindowsThatWereEvicted_stayEvicted_whereTheNextStartKeepsMore() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.cut(1);
      weir.tick(T);
      weir.acceptLoss(T);
      weir.sendWithheld(T, batch(reading(A, T + 60_000, 1)));
      assertThat(weir.windows()).hasSize(2);

      weir.restart(
          WindowSpec.of(
              SPEC.sizeMs(),
              SPEC.graceMs(),
              3_600_000,
              SPEC.idleTimeoutMs(),
              SPEC.idleRule(),
              SPEC.sensorTtlMs()));
      weir.sendWithheld(T, batch(reading(A, T, 1)));

      assertThat(weir.windows()).isEmpty();
      assertThat(weir.late()).hasSize(1);
    }
  }

  @Test
  void rollupThatHeldDeletedReadings_isLeftOut_andTheNextIsWhole() {
    try (WeirDriver weir =
        new WeirDriver(SPEC.with(RollupPlan.of(10_000, List.of(20_000L, 60_000L))))) {
      long start = T / 60_000 * 60_000;
      weir.send(T, batch(reading(A, start, 1), reading(B, start, 1)));
      weir.cut(7);
      weir.send(T, batch(reading(A, start, 1)));
      long whole = (WHOLE_FROM / 60_000 + 1) * 60_000;
      weir.send(WHOLE_FROM, batch(reading(A, whole - 30_000, 1), reading(B, whole, 1)));
      weir.send(WHOLE_FROM, batch(reading(A, whole, 1), reading(A, whole + 90_000, 1)));
      weir.send(WHOLE_FROM, batch(reading(B, whole + 90_000, 1)));

      assertThat(weir.rollups())
          .extracting(WindowSummary::getSensorId, WindowSummary::getWindowStartMs)
          .allMatch(each -> ((Long) each.toList().get(1)) >= whole - 40_000)
          .contains(tuple(A, whole), tuple(B, whole));
      assertThat(weir.counts().leftOut).containsKey(Omission.ROLLUP);
    }
  }

  @Test
  void forgottenSensor_keepsWhatIsWithheld() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.cut(1);
      weir.send(T + 1, batch(reading(B, T, 1)));
      weir.silence(Duration.ofHours(25).toMillis());
      weir.restart();
      long laterMs = T + Duration.ofHours(25).toMillis();
      weir.acceptLoss(laterMs);
      weir.sendWithheld(laterMs, batch(reading(A, T + 1, 1)));

      assertThat(weir.windows())
          .extracting(WindowSummary::getSensorId, WindowSummary::getCount)
          .containsExactly(tuple(A, 1L), tuple(A, 2L));
    }
  }

  /** None of its readings is redriven, and none that would evict it. */
  @Test
  void windowThatWasOpen_isEmittedWhenTheLossIsAccepted_andOnlyThen() {
    try (WeirDriver weir = new WeirDriver(lateness(Duration.ofHours(2).toMillis()))) {
      weir.send(T, batch(reading(A, T, 1), reading(A, T + 1, 2)));
      weir.cut(3);
      for (int i = 1; i < 10; i++) {
        long laterMs = T + i * Duration.ofHours(2).toMillis();
        weir.send(laterMs, batch(reading(A, laterMs, 1)));
      }
      assertThat(weir.windows()).noneMatch(window -> window.getWindowStartMs() == T);

      weir.acceptLoss(WHOLE_FROM, "another", weir.gap());
      assertThat(weir.windows()).isEmpty();
      weir.restart();
      weir.acceptLoss(WHOLE_FROM);
      assertThat(only(weir.windows()))
          .satisfies(
              window -> {
                assertThat(window.getWindowStartMs()).isEqualTo(T);
                assertThat(window.getCount()).isEqualTo(2);
                assertThat(window.getIsFinal()).isFalse();
              });
      weir.acceptLoss(WHOLE_FROM);
      try (LoggedLines lines = new LoggedLines(ReadingProcessor.class.getName())) {
        for (int i = 0; i < 1_000; i++) {
          weir.copyLoss(WHOLE_FROM);
        }
        assertThat(lines.warnings()).hasSizeBetween(10, 100);
      }
      assertThat(weir.windows()).isEmpty();
    }
  }

  /** Nobody decides for long. */
  @Test
  void windowThatWasOpen_outlivesTheMarkOfItsSensor_whichGoesWhenTheLossIsAccepted() {
    WindowSpec soonForgotten =
        WindowSpec.of(10_000, 5_000, 0, 30_000, SPEC.idleRule(), 60_000).withMarkTtlMs(60_000);
    try (WeirDriver weir = new WeirDriver(soonForgotten)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.cut(3);
      weir.silence(600_000);
      weir.restart();
      weir.silence(600_000);
      assertThat(weir.changelogEntries('S')).isEqualTo(1);

      weir.acceptLoss(WHOLE_FROM);
      assertThat(only(weir.windows()).getCount()).isEqualTo(1);
      assertThat(weir.changelogEntries('S')).isZero();
    }
  }

  @Test
  void acceptedLoss_isOfItsGapAlone() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.cut(3);
      weir.send(T + 1, batch(reading(B, T, 1)));
      Gap first = weir.gap();
      weir.acceptLoss(T + 2);
      assertThat(only(weir.windows()).getSensorId()).isEqualTo(A);
      long laterMs = T + Duration.ofHours(2).toMillis();
      weir.send(laterMs, batch(reading(B, laterMs, 1)));
      weir.cut(5);
      weir.sendWithheld(laterMs, batch(reading(B, T, 1)));
      weir.acceptLoss(laterMs, "weir", first);

      assertThat(weir.windows()).isEmpty();
      assertThat(weir.late())
          .extracting(letter -> letter.header(DeadLetterHeaders.GAP))
          .containsExactly(first.toString(), weir.gap().toString());
      weir.acceptLoss(laterMs);
      assertThat(only(weir.windows()).getWindowStartMs()).isEqualTo(laterMs / 10_000 * 10_000);
    }
  }

  /** The order for the second gap is for both. */
  @Test
  void readingThatAGapWithheld_counts_whenALaterGapIsAccepted() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(7);
      weir.send(T, batch(reading(A, T, 1)));
      assertThat(only(weir.late()).readings()).isEqualTo(1);
      weir.send(WHOLE_FROM, batch(reading(A, WHOLE_FROM, 1)));
      weir.send(WHOLE_FROM, batch(reading(A, WHOLE_FROM + 60_000, 1)));
      assertThat(only(weir.windows()).getWindowStartMs()).isEqualTo(WHOLE_FROM);
      weir.cut(3);
      weir.tick(WHOLE_FROM + 1);
      weir.restart();
      weir.acceptLoss(WHOLE_FROM + 1);
      assertThat(only(weir.windows()).getWindowStartMs()).isEqualTo(WHOLE_FROM + 60_000);

      weir.sendWithheld(WHOLE_FROM + 2, batch(reading(A, T, 1)));
      assertThat(weir.late()).isEmpty();
      assertThat(only(weir.windows()).getWindowStartMs()).isEqualTo(T);
    }
  }

  /** The lost end of the state has published one of them with more. */
  @Test
  void windowsOfAStateWhoseEndWasLost_areEmitted_ifNobodyHasPublishedThemWithAsMuch() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1), reading(A, T + 10_000, 1), reading(B, T, 1)));
      weir.lose(3);
      weir.send(T + 1, batch(reading(A, T + 60_000, 1)));
      KeptWindows kept = weir.keptWindows();
      kept.published(record(A, T, 2), 7);
      weir.acceptLoss(T + 1, "weir", weir.gap(), kept.left());
      assertThat(weir.windows())
          .extracting(WindowSummary::getSensorId, WindowSummary::getWindowStartMs)
          .containsExactlyInAnyOrder(tuple(A, T + 10_000), tuple(B, T));
      assertThat(weir.counts().windowsLeft).isEqualTo(1);
      DeadLetter letter = only(weir.late());
      assertThat(letter.header(DeadLetterHeaders.LIFE)).matches("[0-9a-f]{16}");

      weir.sendWithheld(T + 2, batch(reading(A, T + 60_000, 1)));
      assertThat(weir.windows())
          .extracting(WindowSummary::getWindowStartMs, WindowSummary::getCount)
          .containsExactly(tuple(T + 60_000, 1L));
    }
  }

  /** The life before has an older and a newer one of the sensor, and this one with fewer. */
  @Test
  void windowThatNobodyHasPublishedInFull_isEmitted_whenTheLossIsAccepted() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1), reading(A, T + 1, 1), reading(A, T + 10_000, 1)));
      weir.cut(3);
      weir.tick(T + 1);
      KeptWindows kept = weir.keptWindows();
      kept.published(record(A, T - 10_000, 9), 1);
      kept.published(record(A, T, 1), 2);
      kept.published(record(A, T + 20_000, 9), 3);
      assertThat(kept.waiting()).isEqualTo(2);
      weir.acceptLoss(T + 1, "weir", weir.gap(), kept.left());
      assertThat(weir.windows())
          .extracting(WindowSummary::getWindowStartMs, WindowSummary::getCount)
          .containsExactlyInAnyOrder(tuple(T, 2L), tuple(T + 10_000, 1L));
      assertThat(weir.counts().windowsLeft).isZero();
      assertThat(kept.partial()).isEmpty();
    }
  }

  /** What this life emitted in front of the gap has replaced a fuller record, or will. */
  @Test
  void windowWhoseLastRecordHasFewerReadingsThanAnEarlierOne_isNamed() {
    try (WeirDriver weir = new WeirDriver(lateness(Duration.ofHours(1).toMillis()))) {
      weir.send(T, batch(reading(A, T, 1), reading(A, T + 20_000, 1)));
      assertThat(only(weir.windows()).getWindowStartMs()).isEqualTo(T);
      weir.cut(3);
      weir.tick(T + 1);
      KeptWindows kept = weir.keptWindows();
      kept.published(record(A, T, 5), 41);
      kept.published(record(A, T, 1), 43);

      assertThat(kept.waiting()).isEqualTo(1);
      assertThat(kept.left().size()).isZero();
      assertThat(only(kept.partial()))
          .isEqualTo(
              "offset 41 has 5 readings of the window of 2023-11-14T22:13:20Z, and its last record 1");
    }
  }

  /**
   * All waiting windows are left, as an order cannot name all that are published; nothing is
   * silent.
   */
  @Test
  void windowsThatAreLeftForWantOfRoom_areCounted_andLogged() {
    try (WeirDriver weir = new WeirDriver(SPEC);
        LoggedLines lines = new LoggedLines(ReadingProcessor.class.getName())) {
      weir.send(T, batch(reading(A, T, 1), reading(B, T, 1)));
      weir.cut(3);
      weir.tick(T + 1);
      LeftWindows many = new LeftWindows();
      for (int i = 0; i <= LeftWindows.MOST; i++) {
        many.add("another", i);
      }
      weir.acceptLoss(T + 1, "weir", weir.gap(), many);

      assertThat(weir.windows()).isEmpty();
      assertThat(weir.counts().windowsLeft).isEqualTo(2);
      assertThat(lines.warnings()).anyMatch(line -> line.contains("2 windows with readings"));
    }
  }

  /** The order names the few windows that are emitted, as it cannot name those that are not. */
  @Test
  void windowThatNobodyHasPublished_isEmitted_beneathMoreThatAreLeftThanAnOrderCanName() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1), reading(B, T, 1)));
      weir.cut(3);
      weir.tick(T + 1);
      KeptWindows kept = weir.keptWindows();
      kept.published(record(A, T, 1), 7);
      LeftWindows many = kept.left();
      for (int i = 0; i < LeftWindows.MOST; i++) {
        many.add("another", i);
      }
      weir.acceptLoss(T + 1, "weir", weir.gap(), many);

      assertThat(only(weir.windows()).getSensorId()).isEqualTo(B);
      assertThat(weir.counts().windowsLeft).isEqualTo(1);
    }
  }

  /** Before a reset, other settings refused a reading that counts now, and took another one. */
  @Test
  void windowThatIsLeft_andWhoseRecordHasOtherReadings_isNamed() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1), reading(A, T + 1, 2), reading(B, T, 3)));
      weir.cut(3);
      weir.tick(T + 1);
      KeptWindows kept = weir.keptWindows();
      kept.published(record(A, T, 2).toBuilder().setMin(1).setMax(4).setSum(5).build(), 41);
      kept.published(record(B, T, 1).toBuilder().setMin(3).setMax(3).setSum(3).build(), 42);

      assertThat(kept.left().size()).isEqualTo(2);
      assertThat(only(kept.others()))
          .isEqualTo("offset 41 has as many readings of the window of 2023-11-14T22:13:20Z");
    }
  }

  private static WindowSummary record(String sensorId, long startMs, long readings) {
    return WindowSummary.newBuilder()
        .setSensorId(sensorId)
        .setWindowStartMs(startMs)
        .setCount(readings)
        .build();
  }

  /** The offsets are the same, as retention has deleted nothing since. */
  @Test
  void acceptedLoss_isOfItsLifeAlone() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(3);
      weir.tick(T);
      weir.acceptLoss(T);
      Gap ofTheFirst = weir.gap();
      weir.forgetAll();
      weir.cut(3);
      weir.tick(T);
      assertThat(weir.gap().from()).isEqualTo(ofTheFirst.from());
      assertThat(weir.gap().to()).isEqualTo(ofTheFirst.to());
      weir.copyLoss(T);
      weir.sendWithheld(T, batch(reading(A, T, 1)));
      assertThat(weir.windows()).isEmpty();
      assertThat(only(weir.late()).header(DeadLetterHeaders.REASON)).isEqualTo("WITHHELD");

      weir.acceptLoss(T);
      weir.sendWithheld(T, batch(reading(A, T, 1)));
      assertThat(only(weir.windows()).getCount()).isEqualTo(1);
    }
  }

  /** The changelog is empty, so the order has no life. */
  @Test
  void lossOfAWholeState_isAccepted_byAnOrderWithoutALife() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.lose(3);
      weir.tick(T);
      weir.acceptLoss(T, "weir", new Gap(Life.NONE, 0, 3));
      weir.sendWithheld(T, batch(reading(A, T, 1)));
      assertThat(only(weir.windows()).getCount()).isEqualTo(1);
    }
  }

  /** The operator's command has found a record of an earlier life on their topic: none of B. */
  @Test
  void windowThatAnotherLifeHasPublishedInFull_isNotEmittedAlone_whenTheLossIsAccepted() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1), reading(A, T + 10_000, 1), reading(B, T, 1)));
      weir.cut(3);
      weir.tick(T + 1);
      KeptWindows kept = weir.keptWindows();
      kept.published(record(A, T, 1), 0);
      weir.acceptLoss(T + 1, "weir", weir.gap(), kept.left());
      assertThat(weir.windows())
          .extracting(WindowSummary::getSensorId, WindowSummary::getWindowStartMs)
          .containsExactlyInAnyOrder(tuple(A, T + 10_000), tuple(B, T));

      weir.sendWithheld(T + 2, batch(reading(A, T, 1)));
      assertThat(only(weir.windows()).getCount()).as("with what is redriven").isEqualTo(2);
    }
  }

  /** The record that is left is by a leader whose clock is a day behind; deleted ones were not. */
  @Test
  void gapInFrontOfARecordWithAnOldTime_isAsLateAsTheNewestTime() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.cut(3);
      weir.tick(T - 86_400_000);
      weir.send(T + 1, batch(reading(A, T + 20_000, 1), reading(A, T + 90_000, 1)));

      assertThat(weir.windows()).isEmpty();
      assertThat(weir.counts().withheld).isEqualTo(2);
    }
  }

  /**
   * The record before the gap was by a leader whose clock was a day ahead; the ones left are not.
   */
  @Test
  void clockAheadForOneRecord_inFrontOfAGap_withholdsNoMore() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.tick(T + 86_400_000);
      weir.cut(3);
      weir.tick(T);
      weir.send(WHOLE_FROM, batch(reading(A, WHOLE_FROM, 1)));
      weir.send(WHOLE_FROM, batch(reading(A, WHOLE_FROM + 20_000, 1)));

      assertThat(weir.windows())
          .extracting(WindowSummary::getWindowStartMs)
          .contains(WHOLE_FROM)
          .doesNotContain(T + 20_000);
    }
  }
}
