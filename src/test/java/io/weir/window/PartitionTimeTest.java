package io.weir.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartitionTimeTest {
  private final PartitionTime time = new PartitionTime(30);

  @Test
  void noRecord_noTime() {
    assertThat(time.nowMs(1000)).isEqualTo(PartitionTime.NONE);
    time.runOn(1000);
    assertThat(time.nowMs(2000)).isEqualTo(PartitionTime.NONE);
  }

  @Test
  void noRecordComes_timeRunsOnWithTheMonotonicClock() {
    time.observe(500, 10_000);
    assertThat(time.nowMs(10_000)).isEqualTo(500);
    assertThat(time.nowMs(10_070)).isEqualTo(570);
  }

  @Test
  void recordComes_itsAppendTimeCounts_notTheClock() {
    time.observe(500, 0);
    time.observe(510, 90_000);
    assertThat(time.nowMs(90_000)).isEqualTo(510);
  }

  @Test
  void olderAppendTime_doesNotTurnTimeBack() {
    time.observe(500, 0);
    time.observe(400, 0);
    assertThat(time.nowMs(0)).isEqualTo(500);
    assertThat(time.largestAppendMs()).isEqualTo(500);
  }

  @Test
  void clockThatStepsBack_doesNotTurnTimeBack() {
    time.observe(500, 100);
    assertThat(time.nowMs(50)).isEqualTo(500);
  }

  @Test
  void restored_runsOnFromWhereItStood() {
    time.restore(500, PartitionTime.NONE);
    time.runOn(7_000);
    assertThat(time.nowMs(7_005)).isEqualTo(505);
  }

  @Test
  void silence_longerThanItsLength_tellsOfSensorsOnlyWhenItHasPassedAgain() {
    time.observe(100, 0);
    assertThat(time.tellsOfSensors()).isTrue();
    time.observe(130, 0);
    assertThat(time.silenceEndedMs()).isEqualTo(PartitionTime.NONE);
    time.observe(161, 0);
    assertThat(time.silenceEndedMs()).isEqualTo(161);
    assertThat(time.tellsOfSensors()).isFalse();
    time.observe(190, 0);
    assertThat(time.tellsOfSensors()).isFalse();
    time.observe(191, 0);
    assertThat(time.tellsOfSensors()).isTrue();
  }

  @Test
  void silence_passedWhileTheProcessWasDown_isSeenFromAppendTimes() {
    time.restore(100, PartitionTime.NONE);
    time.observe(1000, 0);
    assertThat(time.tellsOfSensors()).isFalse();
  }
}
