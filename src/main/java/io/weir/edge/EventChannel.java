package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.time.Duration;

/** The way of events to one topic. For any thread. */
final class EventChannel {
  /** Most bytes that an event takes beside its own. */
  private static final int EVENT_BYTES = 64;

  private final PublisherCore core;
  private final PartitionQueues<EventQueue> queues;
  private final QueueLimit limit;
  private final PublisherMetrics metrics;
  private final Arrivals arrivals;
  private volatile boolean closed;

  /** Not started yet. */
  EventChannel(
      PublisherSettings settings, String name, long bootId, PublisherSurroundings surroundings) {
    QueueSettings of = QueueSettings.of(settings, bootId);
    this.queues =
        new PartitionQueues<>(
            partition ->
                new EventQueue(partition, of, new EventAccumulator(of, surroundings.ticker())));
    this.core = PublisherStartup.core(settings, name, bootId, queues, surroundings);
    this.limit = core.context().limit();
    this.metrics = core.context().metrics();
    this.arrivals = new Arrivals(limit, core.wakeup());
  }

  PublisherCore core() {
    return core;
  }

  /**
   * Takes an event, or says why not.
   *
   * @param keyHash FNV-1a of its key
   */
  Offer offer(byte[] event, int keyHash, Acknowledgement acknowledgement) {
    if (closed) {
      return metrics.notAccepted(Offer.CLOSED);
    }
    long takes = QueueLimit.cost(1, EVENT_BYTES + (long) event.length);
    if (!limit.tryAcquire(takes)) {
      arrivals.wakeToDrop();
      return metrics.notAccepted(Offer.SUSPENDED);
    }
    EventQueue queue = queues.of(SensorPartition.ofHash(keyHash));
    Offer offer = null;
    try {
      offer = arrivals.answer(queue.append(event, takes, acknowledgement));
    } finally {
      if (offer != Offer.ACCEPTED) {
        limit.release(takes);
      }
    }
    return offer == Offer.ACCEPTED ? offer : metrics.notAccepted(offer);
  }

  /** Counts an event that is refused for what it is. */
  Offer refused() {
    return metrics.notAccepted(Offer.REFUSED_EVENT);
  }

  /** Takes nothing more; what was taken is sent until the timeout. */
  void stopTaking(Duration timeout) {
    closed = true;
    queues.close();
    core.closeBy(timeout);
  }
}
