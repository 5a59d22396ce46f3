package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.complete;
import static io.weir.internal.topology.Batches.ordered;
import static io.weir.internal.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.IgnoredAttestation;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which attestations are ignored, and why. */
class IgnoredAttestationTest extends CompleteWindowsFixture {
  private static final String STRANGER = stranger();

  private static String stranger() {
    int n = 0;
    while (SensorPartition.of("sensor-" + n) == 0) {
      n++;
    }
    return "sensor-" + n;
  }

  @Test
  void attestationOverAGap_isIgnored_andTheNextAfterTheGapIsClosedCounts() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, ordered(next(a(1))));
      ReadingBatch lost = next(a(2));
      weir.send(T, ordered(next(a(11))));
      weir.send(T, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).isEmpty();
      assertThat(weir.counts().attestationsIgnored).isEqualTo(Map.of(IgnoredAttestation.GAP, 2));

      // What it attests itself lacks nothing before it, but a(2) is the newest time that it has.
      weir.send(T, ordered(lost));
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, ordered(next(a(12))));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n2");
    }
  }

  @Test
  void gapThatIsRememberedNoLonger_stopsNothing() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, ordered(next(a(1))));
      sequence++;
      for (int i = 0; i < 1024; i++) {
        weir.send(T, next());
      }
      weir.send(T, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
    }
  }

  @Test
  void oldestGapThatIsStillRemembered_stopsIt() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, ordered(next(a(1))));
      ReadingBatch lost = next(a(2));
      for (int i = 0; i < 1023; i++) {
        weir.send(T, next());
      }
      weir.send(T, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).isEmpty();
      weir.send(T, lost);
      assertThat(weir.deadLetters()).isEmpty();
      weir.send(T, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n2");
    }
  }

  @Test
  void newBootThatBeginsWithAGap_isNotAccepted() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, next(a(1)));
      boot++;
      sequence = 1;
      weir.send(T, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).isEmpty();
      assertThat(weir.counts().attestationsIgnored).isEqualTo(Map.of(IgnoredAttestation.GAP, 1));
      weir.send(T, Batches.sequenced("gw", boot, 1));
      weir.send(T, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
    }
  }

  @Test
  void duplicate_attestsNothing() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      ReadingBatch first = next(a(1));
      weir.send(T, first);
      weir.send(T, complete(first, A, T + 10_000));
      assertThat(emitted(weir)).isEmpty();
      assertThat(weir.counts().duplicate).isEqualTo(1);
      assertThat(weir.counts().attestationsIgnored).isEmpty();
    }
  }

  @Test
  void unsequencedBatch_attestsNothing() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, ordered(complete(Batches.batch(a(1), a(11)), A, T + 10_000)));
      assertThat(emitted(weir)).isEmpty();
      assertThat(weir.counts().attestationsIgnored)
          .isEqualTo(Map.of(IgnoredAttestation.UNSEQUENCED, 2));
      assertThat(weir.counts().aggregated).isEqualTo(2);
    }
  }

  @Test
  void redrivenBatch_attestsNothing() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      ReadingBatch batch = ordered(next(a(1), a(11)));
      weir.send(
          T,
          null,
          batch.toByteArray(),
          DeadLetterHeaders.ofRedrive(new Origin(WeirDriver.DEAD_LETTERS, 0, 7)));
      assertThat(emitted(weir)).isEmpty();
      assertThat(weir.counts().attestationsIgnored)
          .isEqualTo(Map.of(IgnoredAttestation.REDRIVEN, 1));
    }
  }

  @Test
  void entriesThatMeanNothing_areCountedByCause_andTheirNeighboursCount() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, next(a(1), b(1)));
      ReadingBatch batch = next();
      batch = complete(batch, "", T);
      batch = complete(batch, "x".repeat(257), T);
      batch = complete(batch, A, 0);
      batch = complete(batch, A, -T);
      batch = complete(batch, A, T + 300_001);
      batch = complete(batch, A, Long.MAX_VALUE);
      batch = complete(batch, STRANGER, T);
      batch = complete(batch, sensor(2), T);
      batch = complete(batch, B, T + 10_000);
      weir.send(T, batch);
      assertThat(emitted(weir)).containsExactly("B+0 COMPLETE r0 n1");
      assertThat(weir.counts().attestationsIgnored)
          .isEqualTo(
              Map.of(
                  IgnoredAttestation.INVALID,
                  4,
                  IgnoredAttestation.FUTURE,
                  2,
                  IgnoredAttestation.MISROUTED,
                  1,
                  IgnoredAttestation.UNKNOWN_SENSOR,
                  1));
      assertThat(weir.deadLetters()).isEmpty();
      weir.send(T, complete(next(), A, T + 300_000));
      assertThat(emitted(weir)).containsExactly("A+0 COMPLETE r0 n1");
    }
  }

  @Test
  void attestation_isNoActivity_andOfAForgottenSensorIgnored() {
    WindowSpec shortLived =
        WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 100_000);
    try (WeirDriver weir = new WeirDriver(shortLived)) {
      weir.send(T, next(a(1)));
      for (int i = 1; i <= 4; i++) {
        weir.silence(20_000);
        weir.send(T + i * 20_000, complete(next(), A, T + 5_000));
      }
      assertThat(emitted(weir)).containsExactly("A+0 IDLE r0 n1");
      weir.silence(40_000);
      weir.send(T + 120_000, complete(next(), A, T + 10_000));
      assertThat(emitted(weir)).isEmpty();
      assertThat(weir.counts().attestationsIgnored)
          .isEqualTo(Map.of(IgnoredAttestation.UNKNOWN_SENSOR, 1));
    }
  }
}
