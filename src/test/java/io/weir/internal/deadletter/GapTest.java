package io.weir.internal.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GapTest {
  private static final Life LIFE = new Life(7);

  /** The gap from 60 was met behind the end of the state that was left. */
  @Test
  void lossOfAStatesEnd_coversTheGapsThatTheLostEndHasMet() {
    Gap lostEnd = new Gap(LIFE, 40, 100);

    assertThat(lostEnd.covers(lostEnd)).isTrue();
    assertThat(lostEnd.covers(new Gap(LIFE, 10, 20))).isTrue();
    assertThat(lostEnd.covers(new Gap(LIFE, 60, 70))).isTrue();
    assertThat(lostEnd.covers(new Gap(LIFE, 60, 101))).isFalse();
    assertThat(lostEnd.covers(new Gap(new Life(8), 10, 20))).isFalse();
  }
}
