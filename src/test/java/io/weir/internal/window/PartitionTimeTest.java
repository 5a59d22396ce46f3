package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartitionTimeTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long DAY_MS = 24 * HOUR_MS;

  private final PartitionTime time = new PartitionTime(30);

  @Test
  void noRecord_noTime() {
    assertThat(time.appendMs()).isEqualTo(PartitionTime.NONE);
    assertThat(time.logMs()).isEqualTo(PartitionTime.NONE);
  }

  @Test
  void firstRecord_beginsLogTimeWithItsAppendTime() {
    time.observe(500);
    assertThat(time.appendMs()).isEqualTo(500);
    assertThat(time.logMs()).isEqualTo(500);
  }

  @Test
  void gaps_addUp() {
    observe(500, 510, 540);
    assertThat(time.logMs()).isEqualTo(540);
  }

  @Test
  void gapThatIsTooLong_isCut() {
    observe(500, 531, 1_000_000);
    assertThat(time.appendMs()).isEqualTo(1_000_000);
    assertThat(time.logMs()).isEqualTo(560);
  }

  @Test
  void clockThatGoesBack_isAppendTime_andLogTimeStands() {
    time.observe(500);
    assertThat(time.observe(400)).isEqualTo(100);
    assertThat(time.appendMs()).isEqualTo(400);
    assertThat(time.logMs()).isEqualTo(500);
    assertThat(time.observe(407)).isZero();
    assertThat(time.logMs()).isEqualTo(507);
  }

  /** A leader that is ahead for one record costs one longest gap, whatever the difference. */
  @Test
  void clockThatIsAheadForOneRecord_movesLogTimeByOneGap() {
    observe(500, 600_500, 501, 502);
    assertThat(time.logMs()).isEqualTo(531);
  }

  @Test
  void restored_goesOnFromWhereItStood() {
    time.restore(700, 500);
    time.observe(505);
    assertThat(time.logMs()).isEqualTo(705);
  }

  @Test
  void clockThatGoesBack_latestIsTheNewestSoFar() {
    observe(500_000, 140_000);
    assertThat(time.latestMs()).isEqualTo(500_000);
    observe(500_001, 140_001);
    assertThat(time.latestMs()).isEqualTo(500_001);
  }

  @Test
  void oneRecordFarAhead_isItsOwnLatest_andNobodyElses() {
    observe(500, 500 + DAY_MS);
    assertThat(time.latestMs()).isEqualTo(500 + DAY_MS);
    observe(501);
    assertThat(time.latestMs()).isEqualTo(501);
    observe(502 + HOUR_MS, 501);
    assertThat(time.latestMs()).isEqualTo(501);
    observe(501 + HOUR_MS, 502);
    assertThat(time.latestMs()).isEqualTo(501 + HOUR_MS);
  }

  @Test
  void appendTimesOf60SecondsFarAhead_areTheNewest() {
    observe(500, 500 + DAY_MS, 60_499 + DAY_MS, 501);
    assertThat(time.latestMs()).isEqualTo(501);
    observe(500 + DAY_MS, 60_499 + DAY_MS, 60_500 + DAY_MS, 502);
    assertThat(time.latestMs()).isEqualTo(60_500 + DAY_MS);
  }

  /** Of two leaders with different wrong clocks, none is 60 s long. */
  @Test
  void appendTimesFarAheadThatDisagree_areNone() {
    observe(500, 500 + DAY_MS, 500 + 2 * DAY_MS, 60_500 + DAY_MS, 501);
    assertThat(time.latestMs()).isEqualTo(501);
  }

  private void observe(long... appendTimes) {
    for (long appendMs : appendTimes) {
      time.observe(appendMs);
    }
  }
}
