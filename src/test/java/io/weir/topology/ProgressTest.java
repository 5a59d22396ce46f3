package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
  private long nowMs = 1_000;
  private final Progress progress = new Progress(() -> nowMs);

  @Test
  void commitAge_isThatOfThePartitionThatWaitsForLongest() {
    progress.taken(3, 500);
    progress.taken(4, 500);
    nowMs += 10_000;
    progress.committed(3);
    nowMs += 5_000;

    assertThat(progress.commitAgeMs()).isEqualTo(15_000);
    progress.committed(4);
    assertThat(progress.commitAgeMs()).isEqualTo(5_000);
    assertThat(progress.partitions()).isEqualTo(2);
  }

  /** An outage takes the tasks away; what nobody has commits as little. */
  @Test
  void commitAge_growsOn_whenThePartitionsAreGone() {
    progress.taken(3, 500);
    progress.committed(3);
    nowMs += 60_000;
    progress.gone(3);
    nowMs += 60_000;

    assertThat(progress.partitions()).isZero();
    assertThat(progress.commitAgeMs()).isEqualTo(120_000);
    progress.committed(3);
    assertThat(progress.partitions()).isZero();
  }

  @Test
  void processThatStandsByOrRestores_isNotStuck() {
    nowMs += 600_000;
    progress.moved();
    nowMs += 10_000;

    assertThat(progress.commitAgeMs()).isEqualTo(10_000);
  }

  @Test
  void delay_isByTheAppendTimeOfTheNewestRecord() {
    progress.taken(3, 1_000_000);
    assertThat(progress.delayMs(3, 1_090_000)).isEqualTo(90_000);

    progress.processed(3, 1_085_000);
    assertThat(progress.delayMs(3, 1_090_000)).isEqualTo(5_000);
    assertThat(progress.delayMs(3, 1_080_000)).isZero();
    assertThat(progress.delayMs(4, 1_090_000)).as("not owned").isZero();

    progress.taken(5, 0);
    assertThat(progress.delayMs(5, 1_090_000)).as("nothing known").isZero();
  }
}
