package io.weir.lab.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.Balance;
import org.junit.jupiter.api.Test;

/** The small things that the view is made of. */
class TextTest {
  @Test
  void bar_showsWhatIsThereAtAll() {
    Balance balance = new Balance(1_000_000, 999_998, 1, 1, 0);
    assertThat(new BalanceShares(balance, true).bar(20).styled(20))
        .isEqualTo(
            "\u001b[38;5;75m"
                + "█".repeat(18)
                + "\u001b[0m\u001b[38;5;214m█\u001b[0m\u001b[38;5;203m█\u001b[0m");
    assertThat(new BalanceShares(new Balance(0, 0, 0, 0, 0), true).bar(20).width()).isZero();
  }

  @Test
  void rate_isOfWholeSeconds_howeverLongTheyTook() {
    RateHistory rate = new RateHistory();
    rate.sample(0, 0);
    rate.sample(900, 90);
    assertThat(rate.history()).isEmpty();
    rate.sample(1000, 100);
    rate.sample(3000, 500);
    assertThat(rate.history()).containsExactly(100, 200);
    assertThat(rate.perSecond()).isEqualTo(200);
  }
}
