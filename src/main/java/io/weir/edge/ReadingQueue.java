package io.weir.edge;

import io.weir.reading.Reading;

/** A partition's queue of readings. */
final class ReadingQueue extends PartitionQueue {
  private final ReadingAccumulator accumulator;

  ReadingQueue(int partition, QueueSettings settings, ReadingAccumulator accumulator) {
    super(partition, settings, accumulator);
    this.accumulator = accumulator;
  }

  /** Appends a reading. Thread-safe. */
  synchronized BatchAccumulator.Appended append(
      Reading reading, int nanosOfMs, long digest, Acknowledgement acknowledgement) {
    return accumulator.append(reading, nanosOfMs, digest, acknowledgement);
  }

  /** A reading was suspended because the queue is full. Thread-safe. */
  synchronized void turnedAway(Reading reading) {
    accumulator.turnedAway(reading);
  }
}
