package io.weir.internal.redrive;

import com.google.protobuf.ByteString;
import io.weir.v1.RedriveMark;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.apache.kafka.common.Uuid;

/**
 * The records of a topic that were sent again. Costs a bit for each record between first and last.
 */
final class RedrivenOffsets {
  /** Offsets are kept in blocks, so that a high first offset costs nothing. */
  private static final int BLOCK = 1 << 10;

  private record Block(int partition, long number) {}

  private final ByteString topicId;
  private final Map<Block, BitSet> offsets = new HashMap<>();
  private final LongSet batches = new LongSet();

  RedrivenOffsets(Uuid topicId) {
    this.topicId =
        ByteString.copyFrom(
            ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(topicId.getMostSignificantBits())
                .putLong(topicId.getLeastSignificantBits())
                .flip());
  }

  /** A mark for records of this topic. */
  RedriveMark mark(int partition, SortedSet<Long> records, Set<Long> batchIds) {
    RedriveMark.Builder mark =
        RedriveMark.newBuilder().setTopicId(topicId).setPartition(partition).addAllBatch(batchIds);
    long before = 0;
    for (long offset : records) {
      mark.addOffsetDelta(offset - before);
      before = offset;
    }
    return mark.build();
  }

  /** Adds a mark of this run. */
  void add(RedriveMark mark) {
    add(mark, Long.MAX_VALUE);
  }

  /**
   * Adds a mark; ignores one of another topic, and of an invalid one what follows the fault.
   *
   * @param end of its partition of the topic: what is behind it was not sent
   */
  void add(RedriveMark mark, long end) {
    if (!mark.getTopicId().equals(topicId)) {
      return;
    }
    long offset = 0;
    for (long delta : mark.getOffsetDeltaList()) {
      offset += delta;
      if (offset < 0 || offset >= end) {
        return; // No redrive writes such a mark.
      }
      offsets
          .computeIfAbsent(new Block(mark.getPartition(), offset / BLOCK), b -> new BitSet())
          .set((int) (offset % BLOCK));
    }
    mark.getBatchList().forEach(batches::add);
  }

  boolean contains(int partition, long offset) {
    BitSet block = offsets.get(new Block(partition, offset / BLOCK));
    return block != null && block.get((int) (offset % BLOCK));
  }

  /** How many blocks it keeps. */
  int blocks() {
    return offsets.size();
  }

  boolean hasBatch(long batchId) {
    return batches.contains(batchId);
  }
}
