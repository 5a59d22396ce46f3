package io.weir.edge;

import java.util.List;

/** A partition's queue of events. */
final class EventQueue extends PartitionQueue {
  private final EventAccumulator accumulator;

  EventQueue(int partition, QueueSettings settings, EventAccumulator accumulator) {
    super(partition, settings, accumulator);
    this.accumulator = accumulator;
  }

  /** Appends an event. Thread-safe. */
  synchronized BatchAccumulator.Appended append(
      byte[] event, long takes, List<Acknowledgement> acknowledgements) {
    return accumulator.append(event, takes, acknowledgements);
  }
}
