package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.ReadingBatch;
import java.util.HashMap;
import java.util.Map;

/**
 * A planted bug: renumbers the sequences of each boot in the order in which they come first, so
 * that no gap is ever seen, and repeats are. Safe for many threads.
 */
final class DenseSequences {
  private record Boot(int partition, String gatewayId, long bootId) {}

  private final Map<Boot, Map<Long, Long>> sequences = new HashMap<>();

  /** A record's value without its gap. */
  synchronized byte[] renumbered(int partition, byte[] value) {
    byte[] changed = value;
    try {
      ReadingBatch batch = value == null ? null : ReadingBatch.parseFrom(value);
      if (batch != null && batch.getBootId() != 0) {
        Map<Long, Long> ofBoot =
            sequences.computeIfAbsent(
                new Boot(partition, batch.getGatewayId(), batch.getBootId()),
                boot -> new HashMap<>());
        long dense = ofBoot.computeIfAbsent(batch.getSequence(), s -> ofBoot.size() + 1L);
        changed = batch.toBuilder().setSequence(dense).build().toByteArray();
      }
    } catch (InvalidProtocolBufferException e) {
      // Poison stays what it is.
    }
    return changed;
  }
}
