package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AlertWatchTest {
  @Test
  void alert_firesOnceItHeldForItsTime_andEnds() {
    AlertWatch stuck = AlertWatch.of("WeirStuck");
    assertThat(stuck.metric()).isEqualTo("weir_commit_age_seconds");
    for (int s = 0; s < 240; s++) {
      stuck.see(s, s * 1000L);
    }
    assertThat(stuck).hasToString("WeirStuck fired after 181 s");
    stuck.see(3, 250_000);
    assertThat(stuck).hasToString("WeirStuck fired after 181 s and ended after 250 s");
  }

  @Test
  void alert_thatPassesBefore_doesNotFire() {
    AlertWatch ready = AlertWatch.of("WeirNotReady");
    for (int s = 0; s < 2000; s++) {
      ready.see(s % 599 == 0 ? 1 : 0, s * 1000L);
    }
    assertThat(ready.hasFired()).isFalse();
    assertThat(ready).hasToString("WeirNotReady did not fire");
  }

  @Test
  void alertThatIsNotThere_orNotOfThatForm_isSaid() {
    assertThatThrownBy(() -> AlertWatch.of("WeirNothing")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> AlertWatch.of("WeirLate")).isInstanceOf(AssertionError.class);
  }
}
