package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  @Test
  void recovery_isOver_whenEveryPartitionHasWrittenSinceTheFault() {
    Recovery recovery = new Recovery(Set.of(1, 2));
    long laterMs = System.currentTimeMillis() + 1000;
    long nanos = System.nanoTime();

    recovery.window(1, 0, nanos);
    recovery.window(3, laterMs, nanos);
    assertThat(recovery.first()).isEmpty();
    assertThat(recovery.hasBegun()).isFalse();
    recovery.window(1, laterMs, nanos + 5_000_000_000L);
    recovery.window(1, laterMs, nanos + 6_000_000_000L);
    assertThat(recovery.hasBegun()).isTrue();
    assertThat(recovery.isOver()).isFalse();
    assertThat(recovery.last()).isEmpty();
    recovery.window(2, laterMs, nanos + 7_000_000_000L);

    assertThat(recovery.isOver()).isTrue();
    assertThat(recovery.first().orElseThrow()).isBetween(seconds(5), seconds(6));
    assertThat(recovery.last().orElseThrow()).isBetween(seconds(7), seconds(8));
    assertThat(recovery)
        .asString()
        .matches("first of 2 partitions back after 5.* s, last after 7.* s");
  }

  @Test
  void gaps_areOfAnyPartitionAndOfOne_theLastOneIncluded() {
    OutputGaps gaps = new OutputGaps(0);
    for (int partition = 0; partition < 64; partition++) {
      gaps.window(partition, 0, 1_000_000_000L);
    }
    gaps.window(0, 0, 3_000_000_000L);
    gaps.window(1, 0, 4_000_000_000L);

    assertThat(gaps.ofTopic(4_500_000_000L)).isEqualTo(seconds(2));
    assertThat(gaps.ofTopic(9_000_000_000L)).isEqualTo(seconds(5));
    assertThat(gaps.ofPartition(4_500_000_000L)).isEqualTo(Duration.ofMillis(3500));
  }

  @Test
  void percentiles_areOfThoseThatThereAre() {
    Durations durations = new Durations();
    assertThat(durations.percentile(50)).isEqualTo("-");
    for (int i = 1; i <= 100; i++) {
      durations.add(seconds(i));
    }

    assertThat(durations.percentile(50)).isEqualTo("50.0");
    assertThat(durations.percentile(99)).isEqualTo("99.0");
    assertThat(durations.percentile(100)).isEqualTo("100.0");
    assertThat(durations.within(seconds(20))).isEqualTo(20);
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
