package io.weir.edge;

import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.EventBatchEncoder;
import java.util.List;

/** Collects a partition's events in batches. Guarded by the queue. */
final class EventAccumulator extends BatchAccumulator<EventAccumulator.PendingEvents> {
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

  /** A pending batch of events. */
  static final class PendingEvents extends PendingBatch {
    private final EventBatchEncoder events = new EventBatchEncoder();

    PendingEvents(QueueSettings settings) {
      super(settings.headerBytes(), settings.limits());
    }

    /** Whether an event of this size fits. */
    boolean hasRoomFor(int eventBytes) {
      return hasRoom(eventBytes + EventBatchEncoder.EVENT_OVERHEAD_BYTES);
    }

    /**
     * Adds an event; an OutOfMemoryError leaves the batch unchanged.
     *
     * @param takes its cost in queue capacity
     */
    void add(byte[] event, long takes, List<Acknowledgement> acknowledgements) {
      makeRoomFor(acknowledgements.size());
      events.add(event);
      grows(event.length + EventBatchEncoder.EVENT_OVERHEAD_BYTES);
      accepted(takes, acknowledgements);
    }

    @Override
    int size() {
      return events.events();
    }

    @Override
    BatchCompleteness completeness(boolean ordered) {
      return BatchCompleteness.NONE;
    }

    @Override
    byte[] encode(
        String gatewayId, long bootId, long sequence, BatchCompleteness saidOfCompleteness) {
      return events.encode(gatewayId, bootId, sequence);
    }

    @Override
    void clearContent() {
      events.clear();
    }
  }
}
