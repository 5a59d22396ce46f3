package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.List;

/** Publishes events to one topic. Thread-safe. */
final class EventChannel {
  /** Maximum overhead of an event in memory, in bytes. */
  private static final int EVENT_BYTES = 64;

  private final PublisherCore core;
  private final PartitionQueues<EventQueue> queues;
  private final PublisherMetrics metrics;
  private final Arrivals arrivals;
  private volatile boolean closed;

  /** Not started yet. */
  EventChannel(PublisherSettings settings, String name, PublisherDependencies dependencies) {
    QueueSettings of = QueueSettings.of(settings, dependencies.bootId());
    this.queues =
        new PartitionQueues<>(
            partition ->
                new EventQueue(partition, of, new EventAccumulator(of, dependencies.ticker())));
    this.core = PublisherFactory.core(settings, name, queues, dependencies);
    this.metrics = core.context().metrics();
    this.arrivals = new Arrivals(core.context().limit(), core.wakeup());
  }

  PublisherCore core() {
    return core;
  }

  /**
   * Offers an event.
   *
   * @param keyHash FNV-1a of its key
   * @param acknowledgements are called when it is acknowledged; not changed afterwards
   */
  Offer offer(byte[] event, int keyHash, List<Acknowledgement> acknowledgements) {
    if (closed) {
      return metrics.counted(Offer.CLOSED);
    }
    long acknowledgementBytes = (long) QueueLimit.ACKNOWLEDGEMENT_BYTES * acknowledgements.size();
    long takes = QueueLimit.cost(1, EVENT_BYTES + event.length + acknowledgementBytes);
    if (!arrivals.acquire(takes)) {
      return metrics.counted(Offer.SUSPENDED);
    }
    EventQueue queue = queues.of(SensorPartition.ofHash(keyHash));
    BatchAccumulator.Appended appended = null;
    try {
      appended = queue.append(event, takes, acknowledgements);
    } finally {
      arrivals.releaseUnlessTaken(appended, takes);
    }
    return metrics.counted(arrivals.answer(appended));
  }

  /** Counts an invalid event. */
  Offer refused() {
    return metrics.counted(Offer.REFUSED_EVENT);
  }

  /** Rejects further events; accepted events are sent until the timeout. */
  void stopTaking(Duration timeout) {
    closed = true;
    queues.close();
    core.closeBy(timeout);
  }

  /** A partition's queue of events. */
  static final class EventQueue extends PartitionQueue {
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
}
