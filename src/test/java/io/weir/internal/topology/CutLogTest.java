package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sequenced;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A partition whose first records were deleted before they were read. */
class CutLogTest extends WindowFixture {
  private static final long BOOT = (T - Duration.ofDays(5).toMillis()) << 20;
  private static final long FAR = (1L << 20) + 5;

  /** Nothing of it is withheld any more. */
  private static final long WHOLE_FROM = T + Duration.ofMinutes(65).toMillis();

  @Test
  void gatewayThatHasSentForLong_isAccepted_andItsRepeatsAreDuplicates() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(7);
      weir.send(T, sequenced("g", BOOT, FAR - 1, reading(A, T, 1)));
      for (int i = 0; i < 3; i++) {
        weir.send(
            WHOLE_FROM + i, sequenced("g", BOOT, FAR + i, reading(A, WHOLE_FROM + i * 20_000L, 1)));
      }
      weir.restart();
      weir.send(WHOLE_FROM + 3, sequenced("g", BOOT, FAR + 1, reading(A, WHOLE_FROM, 1)));
      weir.silence(Duration.ofHours(1).toMillis());

      assertThat(weir.deadLetters()).isEmpty();
      assertThat(weir.windows()).isNotEmpty().allMatch(window -> window.getCount() == 1);
      assertThat(weir.counts().lostForGood).isZero();
    }
  }

  /** Retention passed Weir while it was stopped. */
  @Test
  void gatewayBehindALongGap_isAccepted() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, sequenced("g", BOOT, 1, reading(A, T, 1)));
      weir.cut(1);
      weir.send(WHOLE_FROM, sequenced("g", BOOT, 2 * FAR, reading(A, WHOLE_FROM, 1)));

      assertThat(weir.deadLetters()).isEmpty();
    }
  }

  /** Whether a sequence that was deleted had been counted before a reset is unknown. */
  @Test
  void gatewayWhoseFirstBatchesWereDeleted_beginsWhereTheLogDoes() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(7);
      weir.send(T, sequenced("g", BOOT, 500, reading(A, T, 1)));
      weir.send(WHOLE_FROM, sequenced("g", BOOT, 503, reading(A, WHOLE_FROM, 1)));
      weir.restart();
      weir.send(WHOLE_FROM, sequenced("g", BOOT, 499, reading(A, WHOLE_FROM, 2)));
      weir.send(WHOLE_FROM, sequenced("g", BOOT, 502, reading(A, WHOLE_FROM, 4)));

      assertThat(weir.deadLetters()).hasSize(1);
      weir.silence(1_000);
      assertThat(weir.counts().lostBatches).isOne();
      assertThat(weir.counts().lostForGood).isZero();
    }
  }

  @Test
  void knownBoot_goesOnBehindTheGap_withoutALoss_andOnlyOnce() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, sequenced("g", BOOT, 1, reading(A, T, 1)));
      weir.send(T, sequenced("g", BOOT, 3, reading(A, T, 1)));
      weir.cut(1);
      weir.send(WHOLE_FROM, batch(reading(B, T, 1)));
      weir.silence(1_000);
      assertThat(weir.counts().lostForGood).isOne();
      weir.restart();
      weir.send(WHOLE_FROM, sequenced("g", BOOT, 600, reading(A, WHOLE_FROM, 1)));
      weir.restart();
      for (long repeat : List.of(1, 3, 600)) {
        weir.send(WHOLE_FROM, sequenced("g", BOOT, repeat, reading(A, T, 1)));
      }
      assertThat(weir.deadLetters()).isEmpty();
      for (long deleted : List.of(2, 4, 599)) {
        weir.send(WHOLE_FROM, sequenced("g", BOOT, deleted, reading(A, WHOLE_FROM, 1)));
      }
      assertThat(weir.deadLetters()).hasSize(3);
      weir.send(WHOLE_FROM, sequenced("g", BOOT, 600 + FAR, reading(A, WHOLE_FROM, 1)));

      assertThat(weir.deadLetters()).hasSize(1);
      weir.silence(1_000);
      assertThat(weir.counts().lostBatches).isZero();
      assertThat(weir.counts().lostForGood).isOne();
    }
  }

  /** Its first batches cannot be among those that were deleted. */
  @Test
  void bootThatStartsBehindTheGap_maySendItsFirstBatchesInAnyOrder() {
    long boot = WHOLE_FROM + 60_000 << 20;
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.cut(7);
      weir.send(T, batch(reading(B, T, 1)));
      weir.send(WHOLE_FROM, sequenced("g", boot, 2, reading(A, WHOLE_FROM, 1)));
      weir.silence(1_000);
      assertThat(weir.counts().lostBatches).isOne();
      weir.send(WHOLE_FROM, sequenced("g", boot, 1, reading(A, WHOLE_FROM, 1)));
      weir.silence(1_000);
      assertThat(weir.counts().lostBatches).isZero();
      weir.send(WHOLE_FROM, sequenced("g", boot, FAR + 2, reading(A, WHOLE_FROM, 1)));

      assertThat(weir.deadLetters()).hasSize(1);
    }
  }

  /** Nothing was deleted: nobody has sent a million batches. */
  @Test
  void wholeLog_stillRefusesAJump() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, sequenced("g", BOOT, FAR, reading(A, T, 1)));

      assertThat(weir.deadLetters()).hasSize(1);
    }
  }

  @Test
  void hoppingWindowWhoseWindowWasEvicted_stopsNothing() {
    HoppingPlan hops = HoppingPlan.of(10_000, 20_000, List.of());
    WindowSpec longGrace =
        WindowSpec.of(10_000, 60_000, 0, 30_000, SPEC.idleRule(), SPEC.sensorTtlMs()).with(hops);
    try (WeirDriver weir = new WeirDriver(longGrace)) {
      weir.send(
          T,
          batch(
              reading(A, T, 1),
              reading(A, T + 10_000, 1),
              reading(A, T + 20_000, 1),
              reading(A, T + 30_000, 1),
              reading(A, T + 40_000, 1),
              reading(A, T + 50_000, 1)));
      weir.cut(1);
      weir.send(T + 1, batch(reading(B, T, 1)));
      weir.restart(SPEC.with(hops));
      weir.silence(Duration.ofHours(25).toMillis());
      long laterMs = T + Duration.ofHours(26).toMillis();
      weir.acceptLoss(laterMs);
      weir.sendWithheld(laterMs, batch(reading(A, T + 1, 1)));
      weir.sendWithheld(laterMs, batch(reading(A, T + 50_000, 1)));
      weir.send(laterMs, batch(reading(A, laterMs, 1)));

      assertThat(weir.windows())
          .anyMatch(window -> window.getWindowStartMs() == T + 50_000 && window.getCount() == 2);
    }
  }
}
