package io.weir.edge;

import io.weir.wire.BatchCompleteness;
import io.weir.wire.EventBatchEncoder;

/** Events that will be one batch. */
final class PendingEvents extends PendingBatch {
  private final EventBatchEncoder events = new EventBatchEncoder();

  PendingEvents(QueueSettings settings) {
    super(settings.headerBytes(), settings.limits());
  }

  /** Whether an event of so many bytes has room. */
  boolean hasRoomFor(int eventBytes) {
    return hasRoom(eventBytes + EventBatchEncoder.EVENT_OVERHEAD_BYTES);
  }

  /**
   * Adds an event, or throws for want of memory and has changed nothing.
   *
   * @param takes what it takes of the queue
   */
  void add(byte[] event, long takes, Acknowledgement acknowledgement) {
    makeRoomFor(acknowledgement);
    events.add(event);
    grows(event.length + EventBatchEncoder.EVENT_OVERHEAD_BYTES);
    accepted(takes, acknowledgement);
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
