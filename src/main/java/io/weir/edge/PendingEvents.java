package io.weir.edge;

import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.EventBatchEncoder;
import java.util.List;

/** A pending batch of events. */
final class PendingEvents extends PendingBatch {
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
