package io.weir.edge;

import java.util.List;

/** Collects a partition's events in batches. Guarded by the queue. */
final class EventAccumulator extends BatchAccumulator<PendingEvents> {
  EventAccumulator(QueueSettings settings, Ticker ticker) {
    super(settings, ticker, () -> new PendingEvents(settings));
  }

  /**
   * Appends an event.
   *
   * @param takes its cost in queue capacity
   */
  Appended append(byte[] event, long takes, List<Acknowledgement> acknowledgements) {
    Appended refusal = refusal();
    if (refusal != null) {
      return refusal;
    }
    boolean overflowed = makeRoom(open().hasRoomFor(event.length));
    boolean first = begin();
    open().add(event, takes, acknowledgements);
    return accepted(overflowed, first);
  }
}
