package io.weir.lab.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.Balance;
import io.weir.lab.cli.demo.BalanceWait.Decision;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BalanceWaitTest {
  private static final Balance WHOLE = new Balance(10, 7, 1, 1, 1);
  private static final Balance OPEN = new Balance(10, 6, 1, 1, 1);

  private final BalanceWait wait = new BalanceWait(Duration.ofSeconds(20), 0);

  @Test
  void wholeBalance_thatStaysSo_isTheEnd() {
    assertThat(wait.observe(WHOLE, 0, 100)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(WHOLE, 0, 599)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(WHOLE, 0, 600)).isEqualTo(Decision.WHOLE);
  }

  @Test
  void wholeBalance_whileTheApplicationIsBehind_isNotTheEnd() {
    assertThat(wait.observe(WHOLE, 321, 0)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(WHOLE, 321, 5000)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(WHOLE, 0, 5100)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(WHOLE, 0, 5700)).isEqualTo(Decision.WHOLE);
  }

  /** They never end while sensors are silent. */
  @Test
  void wholeBalance_whileTicksAreOnTheirWay_isTheEnd() {
    assertThat(wait.observe(WHOLE, 24, 100)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(WHOLE, 320, 400)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(WHOLE, 10, 600)).isEqualTo(Decision.WHOLE);
  }

  @Test
  void openBalance_isWaitedForAsLongAsSomethingMoves() {
    for (int second = 0; second < 100; second++) {
      Balance moving = new Balance(1000, second, 0, 0, 0);
      assertThat(wait.observe(moving, 0, second * 1000L)).isEqualTo(Decision.WAIT);
    }
  }

  @Test
  void openBalance_whereNothingMovesForLong_isGivenUp() {
    assertThat(wait.observe(OPEN, 0, 1000)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(OPEN, 0, 20_999)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(OPEN, 0, 21_000)).isEqualTo(Decision.GIVEN_UP);
  }

  @Test
  void endBy_isTheLatestEnd_andTheFirstOneCounts() {
    wait.endBy(3000);
    wait.endBy(9000);
    assertThat(wait.observe(OPEN, 5, 2999)).isEqualTo(Decision.WAIT);
    assertThat(wait.observe(OPEN, 4, 3000)).isEqualTo(Decision.GIVEN_UP);
  }
}
