package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickClockTest {
  @Test
  void silentPartition_getsATickEveryHalfMinute_howeverLongItsIdleTimeout() {
    TickClock clock = new TickClock(1_200_000);
    clock.begin(0, false);

    assertThat(clock.isHeartbeatDue(29_999)).isFalse();
    assertThat(clock.isHeartbeatDue(30_000)).isTrue();
    assertThat(clock.isHeartbeatDue(30_001)).as("asked just now").isFalse();

    clock.processed(31_000, false, Long.MAX_VALUE);
    assertThat(clock.isHeartbeatDue(60_999)).isFalse();
    assertThat(clock.isHeartbeatDue(61_000)).isTrue();
  }

  @Test
  void whatIsDueAtAKnownTime_asksWhenItHasCome_andAgainEverySecondUntilARecordIsProcessed() {
    TickClock clock = new TickClock(10_000);
    clock.begin(0, false);
    assertThat(clock.isDue(1_000_000)).as("nothing waits").isFalse();

    clock.processed(2_000_000, false, 700);
    assertThat(clock.isDue(2_000_699)).isFalse();
    assertThat(clock.isDue(2_000_700)).isTrue();
    assertThat(clock.isDue(2_001_699)).as("asked just now").isFalse();
    assertThat(clock.isDue(2_001_700)).as("the tick may be lost").isTrue();

    clock.processed(2_002_000, false, Long.MAX_VALUE);
    assertThat(clock.isDue(9_000_000)).isFalse();
  }

  @Test
  void dueTimes_thatArePast_orBeyondAllTime_areNow_andNever() {
    TickClock clock = new TickClock(10_000);
    clock.processed(1_000, false, -5_000);
    assertThat(clock.isDue(1_000)).isTrue();

    clock.processed(1_000, false, Long.MAX_VALUE - 500);
    assertThat(clock.isDue(Long.MAX_VALUE - 1)).isFalse();

    clock.processed(-1_000, false, 1_500);
    assertThat(clock.isDue(499)).isFalse();
    assertThat(clock.isDue(500)).isTrue();
  }

  @Test
  void takenOverWhileSomethingIsDueSometime_asksAtOnce_asNobodyKnowsHowMuchTimeHasPassed() {
    TickClock clock = new TickClock(10_000);
    clock.begin(5, true);
    assertThat(clock.isDue(5)).isTrue();
  }
}
