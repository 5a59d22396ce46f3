package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.WindowSpec;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * When a sensor is idle, and what becomes of its windows. Windows of 10 s, grace 5 s, idle after 30
 * s.
 */
class IdleSensorTest extends WindowFixture {
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
  void restart_whileSensorIsSilent_emitsItsWindow_withoutAnotherRecord() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.restart();
      weir.silence(31_000);

      assertThat(only(weir.windows()).getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_IDLE);
    }
  }
}
