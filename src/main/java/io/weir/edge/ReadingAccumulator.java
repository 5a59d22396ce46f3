package io.weir.edge;

import io.weir.reading.Reading;

/** Collects a partition's readings in batches. Guarded by the queue. */
final class ReadingAccumulator extends BatchAccumulator<PendingReadings> {
  private final OrderWatch order;

  ReadingAccumulator(QueueSettings settings, BatchEncoding encoding, Ticker ticker) {
    super(settings, ticker, () -> new PendingReadings(settings, encoding));
    this.order = settings.ordered() ? new OrderWatch() : null;
  }

  /**
   * Appends a reading.
   *
   * @param takes its cost in queue capacity
   */
  Appended append(
      Reading reading, int nanosOfMs, long digest, long takes, Acknowledgement acknowledgement) {
    Appended refusal = refusal();
    if (refusal != null) {
      if (refusal == Appended.OVER_ITS_SHARE) {
        turnedAway(reading);
      }
      return refusal;
    }
    boolean overflowed = makeRoom(open().hasRoomFor(IdDigest.bytes(digest)));
    boolean first = begin();
    if (order != null && !order.accepted(reading)) {
      open().notOrdered(reading.sensorId());
    }
    open().add(reading, nanosOfMs, digest, takes, acknowledgement);
    return accepted(overflowed, first);
  }

  /** A reading was suspended because the queue is full. */
  void turnedAway(Reading reading) {
    if (order != null) {
      order.turnedAway(reading);
    }
  }

  @Override
  long outOfOrder() {
    return order == null ? 0 : order.outOfOrder();
  }
}
