package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/**
 * The batches of a journal that are on disk alone, and how they come back into memory: for each
 * partition how many there are and where the first of them stands. A pass over the log serves all
 * partitions that stand at its beginning and have room; one that has no room stays where it is and
 * gets a pass of its own later. Memory does not grow with the backlog. For one thread.
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
  private final long[] readings = new long[SensorPartition.COUNT];
  private final long[] firstSegment = new long[SensorPartition.COUNT];
  private final long[] firstOffset = new long[SensorPartition.COUNT];
  private final long[] lastSegment = new long[SensorPartition.COUNT];
  private final long[] lastOffset = new long[SensorPartition.COUNT];

  JournalBacklog(NavigableMap<Long, JournalSegment> segments, JournalMarks acknowledged) {
    this.segments = segments;
    this.acknowledged = acknowledged;
  }

  /** Where a partition's latest batch was written. */
  void written(SequencedBatch batch, long segment, long offset) {
    lastSegment[batch.partition()] = segment;
    lastOffset[batch.partition()] = offset;
  }

  /** Whether batches of the partition are on disk alone: a new one must not overtake them. */
  boolean has(int partition) {
    return batches[partition] > 0;
  }

  /** Readings of the partition that are on disk alone. */
  long readings(int partition) {
    return readings[partition];
  }

  /** The partition's latest batch, which was just written, is not in memory any more. */
  void spill(SequencedBatch batch) {
    int partition = batch.partition();
    readings[partition] += batch.readings();
    if (batches[partition]++ == 0) {
      firstSegment[partition] = lastSegment[partition];
      firstOffset[partition] = lastOffset[partition];
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
    boolean[] full = new boolean[SensorPartition.COUNT];
    try (JournalReader reader = JournalReader.open(segments.get(number).path(), offset)) {
      ByteBuffer payload = reader.next();
      while (payload != null && reader.offset() - offset <= maxBytes) {
        if (payload.get() == JournalRecords.BATCH) {
          give(JournalRecords.readBatch(payload), number, reader.recordOffset(), full, taker);
        }
        payload = reader.next();
      }
      long end = payload == null ? Long.MAX_VALUE : reader.recordOffset();
      moveOn(number, offset, end, full);
    }
  }

  private void give(SequencedBatch batch, long number, long offset, boolean[] full, Taker taker) {
    int partition = batch.partition();
    boolean reached =
        number > firstSegment[partition]
            || number == firstSegment[partition] && offset >= firstOffset[partition];
    if (batches[partition] == 0
        || full[partition]
        || !reached
        || inMemory.covers(batch)
        || acknowledged.covers(batch)) {
      return;
    }
    if (!taker.wants(partition)) {
      full[partition] = true;
      firstSegment[partition] = number;
      firstOffset[partition] = offset;
      return;
    }
    batches[partition]--;
    readings[partition] -= batch.readings();
    inMemory.moveTo(batch);
    taker.take(batch);
  }

  /** Partitions whose next batch is not in what was read begin after it. */
  private void moveOn(long number, long from, long end, boolean[] full) {
    Long next = end == Long.MAX_VALUE ? segments.higherKey(number) : Long.valueOf(number);
    for (int partition = 0; partition < batches.length; partition++) {
      boolean within =
          firstSegment[partition] == number
              && firstOffset[partition] >= from
              && firstOffset[partition] < end;
      if (batches[partition] > 0 && within && !full[partition]) {
        if (next == null) {
          // It was damaged: nothing more of it is there.
          batches[partition] = 0;
          readings[partition] = 0;
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
