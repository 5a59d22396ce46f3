package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A process without partitions: when that is as it should be. */
class IdleWatchTest {
  @Test
  void moreThreadsThanPartitions_leaveSomeIdle() {
    assertThat(IdleWatch.standsBy(65, 64, 64, false)).isTrue();
    assertThat(IdleWatch.standsBy(64, 64, 64, false)).isFalse();
  }

  @Test
  void whoReadsTheStateOfOthers_willHavePartitionsSoon() {
    assertThat(IdleWatch.standsBy(24, 64, 64, true)).isTrue();
  }

  @Test
  void partitionsThatNobodyOwns_shouldBeSomebodys() {
    assertThat(IdleWatch.standsBy(80, 63, 64, false)).isFalse();
    assertThat(IdleWatch.standsBy(12, 0, 64, true)).isFalse();
  }
}
