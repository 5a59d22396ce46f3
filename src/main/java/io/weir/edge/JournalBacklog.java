package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;

/**
 * The batches of a journal that are on disk alone, and how they come back into memory: for each
 * partition how many there are and where the first of them is. A pass over the log serves all
 * partitions that are where it begins or behind that, and have room; one that is before it, or has
 * no room, stays where it is and gets a pass of its own later. Memory does not grow with the
 * backlog. For one thread.
 */
final class JournalBacklog {
  private static final long PASS_BYTES = 1024 * 1024;

  /** Who takes what is read. */
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

  /** Where the write that came last has the first batch of a partition; segment 0 for nowhere. */
  private final long[] writtenSegment = new long[SensorPartition.COUNT];

  private final long[] writtenOffset = new long[SensorPartition.COUNT];

  JournalBacklog(NavigableMap<Long, JournalSegment> segments, JournalMarks acknowledged) {
    this.segments = segments;
    this.acknowledged = acknowledged;
  }

  /** A write begins: {@link #written} its batches, then each is spilled or kept in memory. */
  void beginWrite() {
    Arrays.fill(writtenSegment, 0);
  }

  /** Where a batch is. */
  void written(SequencedBatch batch, long segment, long offset) {
    int partition = batch.partition();
    if (writtenSegment[partition] == 0) {
      writtenSegment[partition] = segment;
      writtenOffset[partition] = offset;
    }
  }

  /** Whether batches of the partition are on disk alone: a new one must not overtake them. */
  boolean has(int partition) {
    return batches[partition] > 0;
  }

  /** Batches of the partition that are on disk alone. */
  long batches(int partition) {
    return batches[partition];
  }

  /** The batch, of the last write, stays in memory, as all of its partition before it did. */
  void keepInMemory(SequencedBatch batch) {
    inMemory.moveTo(batch);
  }

  /** The batch, of the last write, is not in memory any more. */
  void spill(SequencedBatch batch) {
    int partition = batch.partition();
    if (batches[partition]++ == 0) {
      firstSegment[partition] = writtenSegment[partition];
      firstOffset[partition] = writtenOffset[partition];
    }
  }

  /** Reads on for the partition that is furthest behind and has room. Returns whether one had. */
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

  /** Nothing of the segment is on disk alone: who is in it goes on to the next. */
  void leave(JournalSegment segment) {
    moveOn(segment.number(), 0, Long.MAX_VALUE, new boolean[SensorPartition.COUNT]);
  }

  /** The batches of a segment that are on disk alone; they are forgotten. */
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
        if (payload.get() == JournalRecords.BATCH) {
          give(JournalRecords.readBatch(payload), number, reader.recordOffset(), left, taker);
        }
        payload = reader.next();
      }
      long end = payload == null ? Long.MAX_VALUE : reader.recordOffset();
      moveOn(number, offset, end, left);
    }
  }

  /** Partitions that are before the pass: it is not theirs. */
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

  /** Partitions whose next batch is not in what was read begin after it. */
  private void moveOn(long number, long from, long end, boolean[] left) {
    Long next = end == Long.MAX_VALUE ? segments.higherKey(number) : Long.valueOf(number);
    for (int partition = 0; partition < batches.length; partition++) {
      boolean within =
          firstSegment[partition] == number
              && firstOffset[partition] >= from
              && firstOffset[partition] < end;
      if (batches[partition] > 0 && within && !left[partition]) {
        if (next == null) {
          // It was damaged: nothing more of it is there.
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
