package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Deleted records are noticed at the first record behind them, and at no other. */
class OffsetJumpsTest {
  private static final TopicPartition READINGS = new TopicPartition("weir.readings", 3);

  private final OffsetJumps jumps = new OffsetJumps();

  @Test
  void recordThatWasFetchedBefore_isNotTheOneBehindTheGap() {
    jumps.jumped(READINGS, 150);
    jumps.seen(READINGS, 149);
    assertThat(jumps.has(READINGS)).isTrue();
    jumps.seen(READINGS, 5_000);
    assertThat(jumps.any() || jumps.has(READINGS)).isFalse();
  }

  /** Retention deletes more before the first record behind the first gap is applied. */
  @Test
  void secondGap_isNotForgottenAtTheFirst() {
    jumps.jumped(READINGS, 150);
    jumps.jumped(READINGS, 5_011);
    jumps.seen(READINGS, 5_000);
    assertThat(jumps.has(READINGS)).isTrue();
    jumps.seen(READINGS, 6_000);
    assertThat(jumps.has(READINGS)).isFalse();
  }

  @Test
  void partitionThatMovesAway_isForgotten() {
    jumps.jumped(READINGS, 150);
    jumps.forget(READINGS);
    assertThat(jumps.any() || jumps.has(READINGS)).isFalse();
  }
}
