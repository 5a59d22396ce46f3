package io.weir.edge;

/** Takes a partition's events into batches. Guarded by the queue. */
final class EventAccumulator extends BatchAccumulator<PendingEvents> {
  EventAccumulator(QueueSettings settings, Ticker ticker) {
    super(settings, ticker, () -> new PendingEvents(settings));
  }

  /**
   * Takes an event.
   *
   * @param takes what it takes of the queue
   */
  Appended append(byte[] event, long takes, Acknowledgement acknowledgement) {
    Appended refusal = refusal();
    if (refusal != null) {
      return refusal;
    }
    boolean overflowed = makeRoom(open().hasRoomFor(event.length));
    boolean first = begin();
    open().add(event, takes, acknowledgement);
    return accepted(overflowed, first);
  }
}
