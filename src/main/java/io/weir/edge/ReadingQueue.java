package io.weir.edge;

import io.weir.reading.Reading;

/** A partition's queue that takes readings. */
final class ReadingQueue extends PartitionQueue {
  private final ReadingAccumulator accumulator;

  ReadingQueue(int partition, QueueSettings settings, ReadingAccumulator accumulator) {
    super(partition, settings, accumulator);
    this.accumulator = accumulator;
  }

  /** Takes a reading; for any thread. */
  synchronized BatchAccumulator.Appended append(
      Reading reading, long digest, Acknowledgement acknowledgement) {
    return accumulator.append(reading, digest, acknowledgement);
  }

  /** A reading was not taken, for want of room; for any thread. */
  synchronized void turnedAway(Reading reading) {
    accumulator.turnedAway(reading);
  }
}
