package io.weir.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.reading.RejectReason;
import io.weir.window.CloseReason;
import org.junit.jupiter.api.Test;

class MetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);

  @Test
  void everyOutcome_isCountedByItself() {
    meters.batch(10);
    meters.aggregated(4);
    meters.late(3);
    meters.duplicate(2);
    meters.rejected(RejectReason.MISROUTED, 1);
    meters.undecodable(RejectReason.UNDECODABLE);
    meters.window(CloseReason.IDLE);

    assertThat(registry.get(Meters.BATCHES).counter().count()).isEqualTo(1);
    assertThat(readings("aggregated", "")).isEqualTo(4);
    assertThat(readings("late", "")).isEqualTo(3);
    assertThat(readings("duplicate", "")).isEqualTo(2);
    assertThat(readings("rejected", "MISROUTED")).isEqualTo(1);
    assertThat(readings("rejected", "FENCED")).isZero();
    assertThat(registry.get(Meters.UNDECODABLE).tag("reason", "UNDECODABLE").counter().count())
        .isEqualTo(1);
    assertThat(registry.get(Meters.WINDOWS).tag("reason", "idle").counter().count()).isEqualTo(1);
  }

  @Test
  void partitions_addUp_untilTheyAreGone() {
    meters.partition(0, 10, 1);
    meters.partition(1, 20, 2);
    meters.partition(1, 25, 3);
    assertThat(registry.get(Meters.SENSORS).gauge().value()).isEqualTo(35);
    assertThat(registry.get(Meters.LOST_BATCHES).gauge().value()).isEqualTo(4);

    meters.partitionGone(0);
    assertThat(registry.get(Meters.SENSORS).gauge().value()).isEqualTo(25);
  }

  private double readings(String outcome, String reason) {
    return registry
        .get(Meters.READINGS)
        .tags("outcome", outcome, "reason", reason)
        .counter()
        .count();
  }
}
