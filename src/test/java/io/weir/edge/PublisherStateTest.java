package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublisherStateTest {
  private static final List<Long> THIRD_EVERYWHERE = Collections.nCopies(64, 3L);

  @Test
  void batches_beyondTheLastSequenceOrOutOfOrder_areRefused() {
    for (List<SequencedBatch> bad :
        List.of(
            List.of(batch(42, 5, 4)),
            List.of(batch(42, 5, 2), batch(42, 5, 1)),
            List.of(batch(42, 5, 1), batch(41, 5, 2)),
            List.of(batch(43, 5, 1)),
            List.of(batch(42, 64, 1)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PublisherState("g", 42, THIRD_EVERYWHERE, new ArrayList<>(bad)));
    }
  }

  @Test
  void bootId_isTheClockAndARandomPart_orTheKeptOneAndALargerRandomPart() {
    long clockMs = 1_700_000_000_000L;
    assertThat(BootId.of(clockMs, -1)).isEqualTo(clockMs * 1_048_576 + 1_048_575);
    assertThat(BootId.of(clockMs, 0)).isEqualTo(clockMs * 1_048_576);
    assertThat(BootId.of(0, 0)).as("0 means: not sequenced").isEqualTo(1);
    assertThat(BootId.of(Long.MAX_VALUE, -1)).isPositive();
    assertThat(BootId.after(BootId.of(clockMs, 5), clockMs - 1, 0))
        .isEqualTo(BootId.of(clockMs, 6));
    assertThat(BootId.after(BootId.of(clockMs, 5), clockMs - 1, -1))
        .isEqualTo(BootId.of(clockMs + 4_096, 5));
    assertThat(BootId.after(17, clockMs, 3)).isEqualTo(BootId.of(clockMs, 4));
  }

  private static SequencedBatch batch(long bootId, int partition, long sequence) {
    return new SequencedBatch(bootId, partition, sequence, 1, new byte[] {(byte) sequence, 9});
  }
}
