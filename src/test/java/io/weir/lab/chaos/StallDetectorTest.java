package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
  private long nowNanos = 5;
  private final StallDetector standstill =
      new StallDetector(Duration.ofSeconds(10), () -> nowNanos);

  @Test
  void whatMoves_isWaitedForAsLongAsItMoves() {
    for (int i = 0; i < 100; i++) {
      assertThat(standstill.lasts(i + " records")).isFalse();
      nowNanos += Duration.ofSeconds(9).toNanos();
    }
  }

  @Test
  void whatDoesNotAdvance_isGivenUpWhenTimeoutEnds() {
    assertThat(standstill.lasts("3 records")).isFalse();
    nowNanos += Duration.ofSeconds(10).toNanos() - 1;
    assertThat(standstill.lasts("3 records")).isFalse();
    nowNanos++;
    assertThat(standstill.lasts("3 records")).isTrue();
  }
}
