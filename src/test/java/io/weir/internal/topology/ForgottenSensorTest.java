package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.WindowSpec;
import io.weir.v1.CloseReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a sensor is forgotten: after a day of silence, which no outage is. */
class ForgottenSensorTest extends WindowFixture {
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

  /** Another sensor sends often enough for the partition never to be silent. */
  private static void keepAlive(WeirDriver weir, long fromMs, long toMs) {
    for (long appendMs = fromMs; appendMs <= toMs; appendMs += 25_000) {
      weir.clock(1_000);
      weir.send(appendMs, batch(reading(B, T - 100_000, 1)));
    }
    weir.clock(1_000);
    weir.send(toMs, batch(reading(B, T - 100_000, 1)));
  }
}
