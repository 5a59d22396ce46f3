package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
  private long nowMs = 1_000;
  private final Progress progress = new Progress(() -> nowMs);
  private final InputProgress readings = progress.input("readings");

  @Test
  void commitAge_isThatOfThePartitionThatWaitsForLongest() {
    readings.taken(3, 500);
    readings.taken(4, 500);
    nowMs += 10_000;
    readings.committed(3);
    nowMs += 5_000;

    assertThat(progress.commitAgeMs()).isEqualTo(15_000);
    readings.committed(4);
    assertThat(progress.commitAgeMs()).isEqualTo(5_000);
    assertThat(progress.partitions()).isEqualTo(2);
  }

  /** An outage takes the tasks away; what nobody has commits as little. */
  @Test
  void commitAge_growsOn_whenThePartitionsAreGone() {
    readings.taken(3, 500);
    readings.committed(3);
    nowMs += 60_000;
    readings.gone(3);
    nowMs += 60_000;

    assertThat(progress.partitions()).isZero();
    assertThat(progress.commitAgeMs()).isEqualTo(120_000);
    readings.committed(3);
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
    readings.taken(3, 1_000_000);
    assertThat(readings.delayMs(3, 1_090_000)).isEqualTo(90_000);

    readings.processed(3, 1_085_000);
    assertThat(readings.delayMs(3, 1_090_000)).isEqualTo(5_000);
    assertThat(readings.delayMs(3, 1_080_000)).isZero();
    assertThat(readings.delayMs(4, 1_090_000)).as("not owned").isZero();

    readings.taken(5, 0);
    assertThat(readings.delayMs(5, 1_090_000)).as("nothing known").isZero();
  }

  /** Whoever owns partitions of one input alone waits for nothing of another. */
  @Test
  void commitAge_isOfAllInputsTogether() {
    InputProgress events = progress.input("events");
    readings.taken(3, 500);
    nowMs += 60_000;
    readings.committed(3);
    assertThat(progress.commitAgeMs()).isZero();

    events.taken(3, 500);
    nowMs += 5_000;
    readings.committed(3);
    assertThat(progress.commitAgeMs()).isEqualTo(5_000);
    assertThat(progress.partitions()).isEqualTo(2);
    assertThat(progress.input("events")).isSameAs(events);
  }
}
