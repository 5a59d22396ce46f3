package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static io.weir.internal.topology.Batches.sequenced;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.WindowLimits;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Which batches are refused whole, and which count as duplicates: gateways, boots, sequences, and
 * limits.
 */
class RefusedBatchTest extends RejectionFixture {
  /** A hundred sensors, two of them a gateway's, and three windows a batch. */
  private static final WindowLimits FEW = new WindowLimits(100, 2, 3);

  @Test
  void gatewayIdMissingOrTooLong_withABootId_isInvalidGateway() {
    weir.send(T, sequenced("", 7, 1, GOOD));
    assertThat(refusedWhole(RejectReason.INVALID_GATEWAY).readings()).isEqualTo(1);
    weir.send(T, sequenced("g".repeat(257), 7, 1, GOOD));
    refusedWhole(RejectReason.INVALID_GATEWAY);

    weir.send(T, sequenced("é".repeat(128), 7, 1, GOOD));
    weir.send(T, batch(GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(2);
    assertThat(weir.counts().rejected).isEqualTo(2);
  }

  @Test
  void sequenceMissingOrTooLargeOrFarAhead_isInvalidSequence() {
    weir.send(T, sequenced("g", 7, 0, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", 7, -1, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", Long.MIN_VALUE, 1, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", 0, Long.MIN_VALUE, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);

    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.send(T, sequenced("g", 7, 2 + (1 << 20), GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", 7, 1 + (1 << 20), GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(2);
  }

  @Test
  void repeat_isCountedAndNothingElse() {
    ReadingBatch first = sequenced("g", 7, 1, GOOD, reading(A, T, Double.NaN));
    weir.send(T, first);
    weir.deadLetters();
    weir.send(T, first);
    weir.restart();
    weir.send(T, first);

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().duplicate).isEqualTo(4);
    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().rejected).isEqualTo(1);
  }

  @Test
  void skippedBatch_isLostUntilItComes() {
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.send(T, sequenced("g", 7, 4, GOOD));
    weir.silence(1_000);
    assertThat(weir.counts().lostBatches).isEqualTo(2);

    weir.send(T, sequenced("g", 7, 2, GOOD));
    weir.silence(1_000);
    assertThat(weir.counts().lostBatches).isEqualTo(1);
    assertThat(weir.counts().duplicate).isZero();
  }

  @Test
  void sequenceBelowTheRemembered_isStale() {
    weir.send(T, sequenced("g", 7, 2_000, GOOD));
    weir.send(T, sequenced("g", 7, 2_000 - 1_024, GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(2);
    weir.send(T, sequenced("g", 7, 2_000 - 1_025, GOOD));

    refusedWhole(RejectReason.STALE_SEQUENCE);
  }

  @Test
  void fifthBoot_fencesTheOldest() {
    for (long boot = 1; boot <= 5; boot++) {
      weir.send(T, sequenced("g", boot, 1, GOOD));
    }
    weir.restart();
    weir.send(T, sequenced("g", 1, 2, GOOD));
    refusedWhole(RejectReason.FENCED);
    weir.send(T, sequenced("g", 2, 2, GOOD));

    assertThat(weir.counts().aggregated).isEqualTo(6);
  }

  /** Ten minutes here: what it sent before does not count again, and its boot goes on. */
  @Test
  void gateway_silentForItsTtl_isAMark() {
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.send(T, sequenced("g", 7, 2, GOOD));
    weir.silence(599_000);
    weir.send(T + 599_000, sequenced("g", 7, 1, GOOD));
    assertThat(weir.counts().duplicate).isEqualTo(1);
    weir.silence(1_000);
    weir.windows();
    weir.send(T + 600_000, sequenced("g", 7, 1, GOOD));
    refusedWhole(RejectReason.STALE_SEQUENCE);
    weir.send(T + 600_000, sequenced("g", 7, 2, GOOD));
    assertThat(weir.counts().duplicate).as("its highest was applied, for certain").isEqualTo(2);
    weir.send(T + 600_000, sequenced("g", 7, 3, GOOD));

    assertThat(weir.counts().aggregated).isEqualTo(3);
    weir.silence(1_000);
    assertThat(weir.counts().lostBatches).isZero();
    assertThat(weir.counts().lostForGood).isZero();
  }

  @Test
  void gatewaysBeyondTheCap_areDeadLetters_andKnownOnesGoOn() {
    for (int i = 0; i <= 50; i++) {
      weir.send(T, sequenced("g" + i, 7, 1, GOOD));
    }
    refusedWhole(RejectReason.TOO_MANY_GATEWAYS);
    weir.restart();
    weir.send(T, sequenced("g0", 7, 2, GOOD));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(51);
  }

  @Test
  void sensorsBeyondWhatAGatewayMaySend_areDeadLetters_alsoAfterARestart() {
    Reading one = reading(sensor(1), T, 1);
    Reading two = reading(sensor(2), T, 1);
    weir = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 1 << 20, WeirDriver.GATEWAYS, FEW));
    weir.send(T, sequenced("g", 7, 1, GOOD, one));
    weir.restart();
    weir.send(T, sequenced("g", 7, 2, GOOD, two));
    assertThat(rejected(RejectReason.TOO_MANY_SENSORS)).containsExactly(two);
    weir.silence(1_000);
    assertThat(weir.counts().sensorsOfOneGatewayUsed).isEqualTo(1.0);
    weir.send(T, sequenced("other", 7, 1, two));
    weir.send(T, sequenced("g", 7, 3, one, two));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(6);
  }

  @Test
  void batchThatOpensTooManyWindows_isRefusedWhole_andChangesNothing() {
    weir = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 1 << 20, WeirDriver.GATEWAYS, FEW));
    Reading[] readings = new Reading[4];
    for (int i = 0; i < readings.length; i++) {
      readings[i] = reading(A, T - i * 10_000L, 1);
    }
    weir.send(T, sequenced("g", 7, 1, readings));
    refusedWhole(RejectReason.TOO_MANY_WINDOWS);
    weir.send(T, sequenced("g", 7, 1, Arrays.copyOf(readings, 3)));

    assertThat(weir.counts().aggregated).isEqualTo(3);
  }

  /** A boot id near 2^63 would fence the gateway's own for ever. */
  @Test
  void bootOfTheFuture_isRefusedWhole() {
    weir.send(T, sequenced("g", (T + 300_001) << 20, 1, GOOD));

    refusedWhole(RejectReason.FUTURE_BOOT);
    weir.send(T, sequenced("g", (T + 300_000) << 20, 1, GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  /** In a dead letter, a redrive would send again what was counted. */
  @Test
  void repeatUnderALeaderWhoseClockIsBehind_isADuplicate() {
    weir.send(T, sequenced("g", T << 20, 1, GOOD));
    weir.send(T - 360_000, sequenced("g", T << 20, 1, GOOD));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().duplicate).isEqualTo(1);
  }

  @Test
  void newBootUnderALeaderWhoseClockIsBehind_counts_alsoAfterARestart() {
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.send(T - 360_000, sequenced("g", T << 20, 1, GOOD));
    weir.restart();
    weir.send(T - 360_000, sequenced("g", (T + 1) << 20, 1, GOOD));

    assertThat(weir.deadLetters()).isEmpty();
    weir.send(T - 360_000, sequenced("g", (T + 300_001) << 20, 1, GOOD));
    refusedWhole(RejectReason.FUTURE_BOOT);
  }

  @Test
  void refusedBatch_changesNothing() {
    weir.send(T, sequenced("g", 7, 1, GOOD));
    int before = weir.changelogEntries();
    weir.send(T, sequenced("", 7, 9, reading(sensor(1), T, 1)));
    weir.send(T, sequenced("g", 7, 0, reading(sensor(2), T, 1)));

    assertThat(weir.changelogEntries()).isEqualTo(before);
  }
}
