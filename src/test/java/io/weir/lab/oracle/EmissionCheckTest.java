package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.CloseReason;
import io.weir.reading.Quality;
import io.weir.v1.WindowSummary;
import org.junit.jupiter.api.Test;

class EmissionCheckTest {
  private final EmissionCheck check = new EmissionCheck(10, true);

  private static NaiveWindows.Key key(String sensor) {
    return new NaiveWindows.Key(sensor, 0);
  }

  private static NaiveWindows.Window content(int readings) {
    NaiveWindows windows = new NaiveWindows(10);
    for (int i = 0; i < readings; i++) {
      windows.add("a", 0, 1, Quality.GOOD);
    }
    return windows.windows().get(key("a"));
  }

  private static WindowSummary window(String sensor, int readings, int revision, int reason) {
    return WindowSummary.newBuilder()
        .setSensorId(sensor)
        .setWindowEndMs(10)
        .setCount(readings)
        .setSum(readings)
        .setMin(1)
        .setMax(1)
        .setMean(1)
        .setRevision(revision)
        .setCloseReasonValue(reason)
        .build();
  }

  private void due(String sensor, CloseReason reason, int readings) {
    check.due(key(sensor), reason, content(readings), check.position());
  }

  private long wrong() {
    Findings findings = new Findings();
    check.report(findings);
    return findings.wrongRecords();
  }

  @Test
  void allAsItMustBe_findsNothing() {
    check.emitted(3, window("a", 1, 0, CloseReason.IDLE.number()));
    check.emitted(4, window("b", 1, 0, CloseReason.EVENT_TIME.number()));
    check.emitted(5, window("a", 2, 1, CloseReason.EVENT_TIME.number()));
    check.nextRecord();
    due("b", CloseReason.EVENT_TIME, 1);
    due("a", CloseReason.IDLE, 1);
    check.nextRecord();
    due("a", CloseReason.EVENT_TIME, 2);

    assertThat(wrong()).isZero();
  }

  @Test
  void reasonRevisionOrContentThatDiffers_isFound() {
    check.emitted(3, window("a", 1, 0, CloseReason.IDLE.number()));
    check.emitted(4, window("b", 1, 1, CloseReason.IDLE.number()));
    check.emitted(5, window("c", 1, 0, CloseReason.IDLE.number()));
    check.nextRecord();
    due("a", CloseReason.EVENT_TIME, 1);
    due("b", CloseReason.IDLE, 1);
    due("c", CloseReason.IDLE, 2);

    assertThat(wrong()).isEqualTo(3);
  }

  @Test
  void emissionAtAnotherRecord_isFoundByTheOrder() {
    check.emitted(3, window("a", 1, 0, CloseReason.IDLE.number()));
    check.emitted(4, window("b", 1, 0, CloseReason.IDLE.number()));
    check.nextRecord();
    due("b", CloseReason.IDLE, 1);
    check.nextRecord();
    due("a", CloseReason.IDLE, 1);

    assertThat(wrong()).isEqualTo(1);
  }

  @Test
  void emissionThatIsMissingOrWithoutCause_isFound() {
    check.emitted(3, window("a", 1, 0, CloseReason.IDLE.number()));
    check.nextRecord();
    due("b", CloseReason.IDLE, 1);

    assertThat(wrong()).isEqualTo(2);
  }

  private static WindowSummary finalWindow(int readings, int revision, CloseReason reason) {
    return window("a", readings, revision, reason.number()).toBuilder().setIsFinal(true).build();
  }

  @Test
  void finalWindow_isFoundWhereItIsEmittedAgain_orIsFinalWithoutCause() {
    check.emitted(3, finalWindow(1, 0, CloseReason.COMPLETE));
    check.nextRecord();
    due("a", CloseReason.COMPLETE, 1);
    assertThat(wrong()).isZero();

    check.emitted(4, window("a", 2, 1, CloseReason.AMENDED.number()));
    check.nextRecord();
    due("a", CloseReason.AMENDED, 2);
    assertThat(wrong()).isEqualTo(1);

    check.emitted(5, finalWindow(3, 2, CloseReason.AMENDED));
    check.nextRecord();
    due("a", CloseReason.AMENDED, 3);
    assertThat(wrong()).isEqualTo(2);
  }

  @Test
  void finalWindowOfWhichNothingIsKnownAnyMore_mayBeginAgain() {
    check.emitted(3, finalWindow(1, 0, CloseReason.COMPLETE));
    check.emitted(4, finalWindow(1, 0, CloseReason.COMPLETE));
    check.nextRecord();
    due("a", CloseReason.COMPLETE, 1);
    check.beginsAgain(key("a"));
    check.nextRecord();
    due("a", CloseReason.COMPLETE, 1);

    assertThat(wrong()).isZero();
  }

  @Test
  void emissionThatWasLeftOpen_mayHaveBeenMadeOrNot() {
    check.emitted(3, window("a", 1, 0, CloseReason.IDLE.number()));
    check.nextRecord();

    assertThat(check.optional(key("a"), content(1), 0)).isTrue();
    assertThat(check.optional(key("b"), content(1), 0)).isFalse();
    assertThat(wrong()).isZero();
  }
}
