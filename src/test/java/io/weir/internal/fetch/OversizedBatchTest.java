package io.weir.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class OversizedBatchTest {
  /** It would stand for two thousand million records, and in an import for as many counts. */
  @Test
  void markerOfASender_isNone() {
    for (int length : new int[] {20, 28}) {
      ByteBuffer numbers = ByteBuffer.allocate(length).putInt(length - 4, Integer.MAX_VALUE);
      RecordHeaders headers = new RecordHeaders();
      headers.add("weir.oversized-batch", numbers.array());
      assertThat(OversizedBatch.of(null, headers)).isEmpty();
    }
  }
}
