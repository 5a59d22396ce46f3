package io.weir.edge;

import io.weir.reading.Reading;

/** A partition's queue of readings. */
final class ReadingQueue extends PartitionQueue {
  private final ReadingAccumulator accumulator;

  ReadingQueue(int partition, QueueSettings settings, ReadingAccumulator accumulator) {
    super(partition, settings, accumulator);
    this.accumulator = accumulator;
  }

  /**
   * Appends a reading. Thread-safe.
   *
   * @param takes its cost in queue capacity
   */
  synchronized BatchAccumulator.Appended append(
      Reading reading, int nanosOfMs, long digest, long takes, Acknowledgement acknowledgement) {
    return accumulator.append(reading, nanosOfMs, digest, takes, acknowledgement);
  }

  /** A reading was suspended because the queue is full. Thread-safe. */
  synchronized void turnedAway(Reading reading) {
    accumulator.turnedAway(reading);
  }
}
