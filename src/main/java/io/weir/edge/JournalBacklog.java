package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;

/**
 * Tracks the batches of a journal that are on disk only, by their number and the position of the
 * first per partition, and reads them back. One pass over the log serves all partitions with free
 * memory whose position is at or after its start; others wait for a later pass. Memory does not
 * grow with the backlog. Not thread-safe.
 */
final class JournalBacklog {
  private static final long PASS_BYTES = 1024 * 1024;

  /** Receives the batches that are read. */
  interface Taker {
    /** Whether the partition has room. */
    boolean wants(int partition);

    void take(SequencedBatch batch);
  }

  private final NavigableMap<Long, JournalSegment> segments;
  private final JournalMarks acknowledged;
  private final JournalMarks inMemory = new JournalMarks();
  private final long[] batches = new long[SensorPartition.COUNT];
  private final long[] firstSegment = new long[SensorPartition.COUNT];
  private final long[] firstOffset = new long[SensorPartition.COUNT];

  /** Position of the partition's first batch in the last write; segment 0 for none. */
  private final long[] writtenSegment = new long[SensorPartition.COUNT];

  private final long[] writtenOffset = new long[SensorPartition.COUNT];

  JournalBacklog(NavigableMap<Long, JournalSegment> segments, JournalMarks acknowledged) {
    this.segments = segments;
    this.acknowledged = acknowledged;
  }

  /**
   * A write begins: {@link #written} for each of its batches, then each is spilled or kept in
   * memory.
   */
  void beginWrite() {
    Arrays.fill(writtenSegment, 0);
  }

  /** Sets the position of a batch. */
  void written(SequencedBatch batch, long segment, long offset) {
    int partition = batch.partition();
    if (writtenSegment[partition] == 0) {
      writtenSegment[partition] = segment;
      writtenOffset[partition] = offset;
    }
  }

  /** Whether batches of the partition are on disk only: a new one must not overtake them. */
  boolean has(int partition) {
    return batches[partition] > 0;
  }

  /** Number of batches of the partition that are on disk only. */
  long batches(int partition) {
    return batches[partition];
  }

  /** The batch of the last write stays in memory, as all earlier ones of its partition. */
  void keepInMemory(SequencedBatch batch) {
    inMemory.moveTo(batch);
  }

  /** The batch of the last write leaves memory. */
  void spill(SequencedBatch batch) {
    int partition = batch.partition();
    if (batches[partition]++ == 0) {
      firstSegment[partition] = writtenSegment[partition];
      firstOffset[partition] = writtenOffset[partition];
    }
  }

  /**
   * Reads for the partition with free memory that is furthest behind. Returns false if there is
   * none.
   */
  boolean refill(Taker taker) throws IOException {
    int behind = -1;
    for (int partition = 0; partition < batches.length; partition++) {
      if (batches[partition] > 0
          && taker.wants(partition)
          && (behind < 0 || isBefore(partition, behind))) {
        behind = partition;
      }
    }
    if (behind < 0) {
      return false;
    }
    pass(firstSegment[behind], firstOffset[behind], taker);
    return true;
  }

  /** The segment has no batches left to read: positions in it move to the next segment. */
  void leave(JournalSegment segment) {
    moveOn(segment.number(), 0, Long.MAX_VALUE, new boolean[SensorPartition.COUNT]);
  }

  /** Removes and returns the batches of a segment that are on disk only. */
  List<SequencedBatch> dropAllOf(JournalSegment segment) throws IOException {
    List<SequencedBatch> dropped = new ArrayList<>();
    pass(
        segment.number(),
        0,
        Long.MAX_VALUE,
        new Taker() {
          @Override
          public boolean wants(int partition) {
            return true;
          }

          @Override
          public void take(SequencedBatch batch) {
            dropped.add(batch);
          }
        });
    return dropped;
  }

  private void pass(long number, long offset, Taker taker) throws IOException {
    pass(number, offset, PASS_BYTES, taker);
  }

  private void pass(long number, long offset, long maxBytes, Taker taker) throws IOException {
    boolean[] left = furtherBehind(number, offset);
    try (JournalReader reader = JournalReader.open(segments.get(number).path(), offset)) {
      ByteBuffer payload = reader.next();
      while (payload != null && reader.offset() - offset <= maxBytes) {
        byte kind = payload.get();
        if (JournalRecords.isBatch(kind)) {
          give(JournalRecords.readBatch(kind, payload), number, reader.recordOffset(), left, taker);
        }
        payload = reader.next();
      }
      long end = payload == null ? Long.MAX_VALUE : reader.recordOffset();
      moveOn(number, offset, end, left);
    }
  }

  /** Partitions whose position is before the pass, which does not serve them. */
  private boolean[] furtherBehind(long number, long offset) {
    boolean[] behind = new boolean[SensorPartition.COUNT];
    for (int partition = 0; partition < behind.length; partition++) {
      behind[partition] =
          firstSegment[partition] < number
              || firstSegment[partition] == number && firstOffset[partition] < offset;
    }
    return behind;
  }

  private void give(SequencedBatch batch, long number, long offset, boolean[] left, Taker taker) {
    int partition = batch.partition();
    boolean reached =
        number > firstSegment[partition]
            || number == firstSegment[partition] && offset >= firstOffset[partition];
    if (batches[partition] == 0
        || left[partition]
        || !reached
        || inMemory.covers(batch)
        || acknowledged.covers(batch)) {
      return;
    }
    if (!taker.wants(partition)) {
      left[partition] = true;
      firstSegment[partition] = number;
      firstOffset[partition] = offset;
      return;
    }
    batches[partition]--;
    inMemory.moveTo(batch);
    taker.take(batch);
  }

  /** Moves partitions without a remaining batch in the pass to its end. */
  private void moveOn(long number, long from, long end, boolean[] left) {
    Long next = end == Long.MAX_VALUE ? segments.higherKey(number) : Long.valueOf(number);
    for (int partition = 0; partition < batches.length; partition++) {
      boolean within =
          firstSegment[partition] == number
              && firstOffset[partition] >= from
              && firstOffset[partition] < end;
      if (batches[partition] > 0 && within && !left[partition]) {
        if (next == null) {
          // The remaining batches were damaged.
          batches[partition] = 0;
        } else {
          firstSegment[partition] = next;
          firstOffset[partition] = end == Long.MAX_VALUE ? 0 : end;
        }
      }
    }
  }

  private boolean isBefore(int a, int b) {
    return firstSegment[a] < firstSegment[b]
        || firstSegment[a] == firstSegment[b] && firstOffset[a] < firstOffset[b];
  }
}
