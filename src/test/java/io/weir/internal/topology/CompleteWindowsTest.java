package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.complete;
import static io.weir.internal.topology.Batches.ordered;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.WindowSpec;
import io.weir.v1.ReadingBatch;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What it means that a window is complete. Windows of 10 s, grace 5 s, idle after 30 s. */
class CompleteWindowsTest extends CompleteWindowsFixture {
  @Test
  void orderedBatch_closesTheWindowsThatItsSensorsHavePassed_withoutGrace() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, ordered(next(a(1), b(1))));
      weir.send(T, ordered(next(a(9), b(8))));
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, ordered(next(a(10))));

      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n2");
      weir.send(T, ordered(next(a(16), a(25), b(9))));
      assertThat(emitted(weir)).containsExactly("A+10 COMPLETE r0 n2");
      assertThat(weir.counts().windows)
          .isEqualTo(Map.of(io.weir.internal.window.CloseReason.COMPLETE, 2));
      assertThat(weir.counts().attestationsIgnored).isEmpty();
    }
  }

  /** The picture of docs/windows.md, line by line. */
  @Test
  void workedExample_happensAsDocumented() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, ordered(next(a(1), a(8))));
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, ordered(next(a(11))));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n2");
      ReadingBatch third = ordered(next(a(14)));
      weir.send(T, ordered(next(a(21))));
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, third);
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, ordered(next(a(22))));
      assertThat(emitted(weir)).containsExactly("A+10 COMPLETE r0 n2");
    }
  }

  @Test
  void entry_closesTheWindowThatEndsThere_andNoLaterOne() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, next(a(1), a(11), b(1)));
      weir.send(T, complete(next(), A, T + 9_999));
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
      weir.send(T, complete(complete(next(), A, T + 20_000), B, T + 40_000));
      assertThat(emitted(weir)).containsExactly("A+10 COMPLETE r0 n1", "B+0 COMPLETE r0 n1");
    }
  }

  @Test
  void entryOfASensorThatTheSameBatchBrings_counts() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, complete(next(a(1), a(12)), A, T + 12_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
    }
  }

  @Test
  void readingForACompleteWindow_isLateAndCounted_whateverTheLateness() {
    WindowSpec lenient =
        WindowSpec.of(10_000, 5_000, 600_000, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000);
    try (WeirDriver weir = new WeirDriver(lenient)) {
      weir.send(T, ordered(next(a(1), a(12))));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");

      weir.send(T, next(a(5), a(13)));
      assertThat(weir.late()).hasSize(1);
      assertThat(weir.counts().late).isEqualTo(1);
      assertThat(weir.counts().attestationsBroken).isEqualTo(1);
      // Of a window that nobody has opened, but that was attested.
      weir.send(T, next(a(-5)));
      assertThat(weir.counts().attestationsBroken).isEqualTo(2);
      // In a window that is open still, though the time was attested.
      weir.send(T, next(a(11)));
      assertThat(weir.counts().attestationsBroken).isEqualTo(2);
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, ordered(next(a(20))));
      assertThat(emitted(weir)).containsExactly("A+10 COMPLETE r0 n3");
    }
  }

  @Test
  void lateReadingOfASensorThatWasNeverAttested_isNoBrokenAttestation() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, next(a(1), a(30)));
      weir.send(T, next(a(2)));
      assertThat(weir.counts().late).isEqualTo(1);
      assertThat(weir.counts().attestationsBroken).isZero();
    }
  }

  @Test
  void windowThatEventTimeHasClosed_isAmendedAsBefore_andNeverFinal() {
    WindowSpec lenient =
        WindowSpec.of(10_000, 5_000, 600_000, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000);
    try (WeirDriver weir = new WeirDriver(lenient)) {
      weir.send(T, next(a(1), a(15)));
      assertThat(emitted(weir)).containsExactly("A+0 EVENT_TIME r0 n1");
      weir.send(T, complete(next(), A, T + 15_000));
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, next(a(2)));
      assertThat(emitted(weir)).containsExactly("A+0 AMENDED r1 n2");
      assertThat(weir.counts().attestationsBroken).isZero();
    }
  }

  @Test
  void whereEventTimeWouldCloseItToo_completeWins() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, ordered(next(a(1), a(40))));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
    }
  }

  @Test
  void amendment_comesBeforeTheClosingInOneBatch() {
    WindowSpec lenient =
        WindowSpec.of(10_000, 5_000, 600_000, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000);
    try (WeirDriver weir = new WeirDriver(lenient)) {
      weir.send(T, next(a(1), a(19)));
      emitted(weir);
      weir.send(T, ordered(next(a(2), a(20))));
      assertThat(emitted(weir)).containsExactly("A+0 AMENDED r1 n2", "A+10 COMPLETE r0 n1");
    }
  }

  @Test
  void windowThatWasEmittedIdle_isEmittedOnceMoreAsFinal_withNothingAdded() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, next(a(1)));
      weir.silence(60_000);
      assertThat(emitted(weir)).containsExactly("A+0 IDLE r0 n1");
      weir.send(T + 60_000, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r1 n1");
      weir.silence(120_000);
      assertThat(emitted(weir)).isEmpty();
    }
  }

  @Test
  void sensorWhoseWindowsAreAllComplete_isNotEmittedIdle() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, complete(next(a(1)), A, T + 10_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
      weir.silence(120_000);
      assertThat(emitted(weir)).isEmpty();
    }
  }

  @Test
  void whatWasAttested_outlivesRestartsAndForgetting() {
    WindowSpec shortLived =
        WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 100_000);
    try (WeirDriver weir = new WeirDriver(shortLived)) {
      weir.send(T, complete(next(a(1)), A, T + 30_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
      weir.restart();
      weir.send(T, next(a(2), a(25)));
      assertThat(weir.counts().attestationsBroken).isEqualTo(2);
      weir.silence(200_000);
      weir.restart();
      weir.send(T + 200_000, next(a(26), a(30)));
      assertThat(weir.counts().attestationsBroken).isEqualTo(3);
      assertThat(weir.counts().late).isEqualTo(3);
      assertThat(weir.counts().aggregated).isEqualTo(2);
    }
  }

  /** Six windows: the older ones have entries of their own in the changelog. */
  @Test
  void attestationWithoutReadings_isInTheStateThatIsReadBack() {
    WindowSpec patient =
        WindowSpec.of(10_000, 600_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000);
    try (WeirDriver weir = new WeirDriver(patient)) {
      weir.send(T, next(a(1), a(11), a(21), a(31), a(41), a(51)));
      weir.restart();
      weir.send(T, complete(next(), A, T + 60_000));
      assertThat(emitted(weir)).hasSize(6);
      weir.restart();
      weir.send(T, next(a(1), a(45), a(59)));
      assertThat(weir.counts().attestationsBroken).isEqualTo(3);
      assertThat(emitted(weir)).isEmpty();
    }
  }
}
