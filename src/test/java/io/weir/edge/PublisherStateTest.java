package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PublisherStateTest {
  private static final List<Long> THIRD_EVERYWHERE = Collections.nCopies(64, 3L);

  @Test
  void bytes_readBack_areTheSameState() {
    PublisherState state =
        new PublisherState(
            "gateway-é",
            42,
            THIRD_EVERYWHERE,
            List.of(batch(41, 5, 9), batch(42, 5, 2), batch(42, 5, 3), batch(42, 0, 1)));

    PublisherState read = PublisherState.fromBytes(state.toBytes());

    assertThat(read.toBytes()).isEqualTo(state.toBytes());
    assertThat(read.gatewayId()).isEqualTo("gateway-é");
    assertThat(read.lastSequences()).isEqualTo(THIRD_EVERYWHERE);
    assertThat(read.unacknowledged())
        .extracting(SequencedBatch::sequence)
        .containsExactly(9L, 2L, 3L, 1L);
    assertThat(read.unacknowledged().get(0).value()).isEqualTo(new byte[] {9, 9});
  }

  @Test
  void bytes_cutOrChanged_areRefused() {
    long seed = 5;
    Random random = new Random(seed);
    byte[] bytes =
        new PublisherState("g", 42, THIRD_EVERYWHERE, List.of(batch(42, 5, 2))).toBytes();
    for (int i = 0; i < 1_000; i++) {
      byte[] spoilt = bytes.clone();
      spoilt[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
      byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      assertThatIllegalArgumentException()
          .as("seed %d", seed)
          .isThrownBy(() -> PublisherState.fromBytes(spoilt));
      assertThatIllegalArgumentException().isThrownBy(() -> PublisherState.fromBytes(cut));
    }
  }

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
