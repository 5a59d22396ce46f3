package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickClockTest {
  @Test
  void silentPartition_getsATickEveryHalfMinute_howeverLongItsIdleTimeout() {
    TickClock clock = new TickClock(3_600_000);
    clock.begin(0);

    assertThat(clock.isHeartbeatDue(29_999)).isFalse();
    assertThat(clock.isHeartbeatDue(30_000)).isTrue();
    assertThat(clock.isHeartbeatDue(30_001)).as("asked just now").isFalse();

    clock.processed(31_000, false);
    assertThat(clock.isHeartbeatDue(60_999)).isFalse();
    assertThat(clock.isHeartbeatDue(61_000)).isTrue();
  }
}
