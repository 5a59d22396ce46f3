package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.StreamsApplication.RestoreProgress;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RestoreProgressTest {
  private static final TopicPartition FIRST = new TopicPartition("changelog", 1);
  private static final TopicPartition SECOND = new TopicPartition("changelog", 2);

  private final RestoreProgress restores = new RestoreProgress(() -> {});

  @Test
  void remaining_countsDownAsBatchesAreRestored() {
    restores.onRestoreStart(FIRST, "state", 100, 300);
    restores.onRestoreStart(SECOND, "state", 0, 50);
    assertThat(restores.partitions()).isEqualTo(2);
    assertThat(restores.remaining()).isEqualTo(250);

    restores.onBatchRestored(FIRST, "state", 249, 20);
    assertThat(restores.remaining()).isEqualTo(100);

    restores.onRestoreEnd(FIRST, "state", 200);
    restores.onRestoreSuspended(SECOND, "state", 0);
    assertThat(restores.partitions()).isZero();
    assertThat(restores.remaining()).isZero();
  }

  @Test
  void batchOfAPartitionThatWasGivenUp_bringsItNotBack() {
    restores.onRestoreStart(FIRST, "state", 0, 10);
    restores.done();
    restores.onBatchRestored(FIRST, "state", 4, 5);

    assertThat(restores.partitions()).isZero();
  }
}
