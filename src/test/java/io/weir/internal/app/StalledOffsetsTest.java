package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.BlockedOutputs.StalledOffsets;
import io.weir.internal.app.BlockedOutputs.StalledOffsets.Stalled;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StalledOffsetsTest {
  private static final TopicPartition A = new TopicPartition("windows", 0);
  private static final TopicPartition B = new TopicPartition("windows", 1);

  private final StalledOffsets offsets = new StalledOffsets();

  @Test
  void offsetAtTheEnd_doesNotStandStill() {
    assertThat(offsets.look(Map.of(A, 5L), Map.of(A, 5L), 0)).isEmpty();
    assertThat(offsets.look(Map.of(A, 5L), Map.of(A, 5L), 60_000)).isEmpty();
  }

  @Test
  void offsetBehindTheEnd_standsSinceItWasFirstSeenThere() {
    offsets.look(Map.of(A, 5L), Map.of(A, 9L), 10);

    assertThat(offsets.look(Map.of(A, 5L), Map.of(A, 12L), 70))
        .containsExactly(new Stalled(A, 5, 10));
  }

  @Test
  void offsetThatMovedOn_standsAgain() {
    offsets.look(Map.of(A, 5L), Map.of(A, 9L), 10);

    assertThat(offsets.look(Map.of(A, 6L), Map.of(A, 9L), 70))
        .containsExactly(new Stalled(A, 6, 70));
    assertThat(offsets.look(Map.of(A, 9L), Map.of(A, 9L), 80)).isEmpty();
  }

  @Test
  void partitionThatCouldNotBeSeen_isWhereItWas() {
    offsets.look(Map.of(A, 5L), Map.of(A, 9L), 10);
    offsets.look(Map.of(B, 1L), Map.of(B, 2L), 20);

    assertThat(offsets.look(Map.of(), Map.of(), 30))
        .containsExactly(new Stalled(A, 5, 10), new Stalled(B, 1, 20));
  }

  @Test
  void endThatCouldNotBeSeen_saysNothing() {
    offsets.look(Map.of(A, 5L), Map.of(A, 9L), 10);

    assertThat(offsets.look(Map.of(A, 9L, B, 3L), Map.of(), 30))
        .containsExactly(new Stalled(A, 5, 10));
  }
}
