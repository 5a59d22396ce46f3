package io.weir.edge;

import io.weir.reading.Reading;
import io.weir.reading.ReadingRules;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Answers offers: looks at the reading, acquires room, and appends it to the queue of its
 * partition. For any thread.
 */
final class OfferHandler {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final int maxIdBytes;
  private final boolean ordered;
  private final PartitionQueues<ReadingQueue> queues;
  private final QueueLimit limit;
  private final PublisherMetrics metrics;
  private final Arrivals arrivals;
  private final Splits splits;
  private volatile boolean closed;

  OfferHandler(PublisherContext context, PartitionQueues<ReadingQueue> queues, Wakeup wakeup) {
    this.maxIdBytes = context.settings().maxIdBytes();
    this.ordered = context.settings().ordered();
    this.queues = queues;
    this.limit = context.limit();
    this.metrics = context.metrics();
    this.arrivals = new Arrivals(context.limit(), wakeup);
    this.splits = new Splits(context.settings().splits());
  }

  Offer offer(Reading reading, Acknowledgement acknowledgement) {
    if (!splits.isSplit(reading.sensorId())) {
      return offerWhole(reading, acknowledgement);
    }
    return splits.offer(
        reading,
        partId ->
            offerWhole(
                new Reading(partId, reading.timestampMs(), reading.value(), reading.quality()),
                acknowledgement));
  }

  private Offer offerWhole(Reading reading, Acknowledgement acknowledgement) {
    if (closed) {
      return metrics.notAccepted(Offer.CLOSED);
    }
    long digest = IdDigest.of(reading.sensorId());
    if (IdDigest.bytes(digest) == IdDigest.NOT_TEXT) {
      return metrics.notAccepted(Offer.REFUSED_SENSOR_ID_NOT_TEXT);
    }
    RejectReason refusal =
        ReadingRules.refusal(
            IdDigest.bytes(digest), reading.timestampMs(), reading.value(), maxIdBytes);
    if (refusal != null) {
      return metrics.notAccepted(Offer.refused(refusal));
    }
    long cost = QueueLimit.costOf(IdDigest.bytes(digest));
    if (!limit.tryAcquire(cost)) {
      arrivals.wakeToDrop();
      if (ordered) {
        queueOf(digest).turnedAway(reading);
      }
      return metrics.notAccepted(Offer.SUSPENDED);
    }
    return append(reading, digest, acknowledgement, cost);
  }

  Offer complete(String sensorId, long throughMs) {
    return splits.isSplit(sensorId)
        ? splits.offerAll(sensorId, partId -> completeWhole(partId, throughMs))
        : completeWhole(sensorId, throughMs);
  }

  private Offer completeWhole(String sensorId, long throughMs) {
    if (closed) {
      return Offer.CLOSED;
    }
    long digest = IdDigest.of(sensorId);
    int idBytes = IdDigest.bytes(digest);
    if (idBytes == IdDigest.NOT_TEXT) {
      return Offer.REFUSED_SENSOR_ID_NOT_TEXT;
    }
    RejectReason refusal = ReadingRules.refusal(idBytes, throughMs, 0, maxIdBytes);
    if (refusal != null) {
      return Offer.refused(refusal);
    }
    long cost = QueueLimit.costOfAttestation(idBytes);
    if (!limit.tryAcquire(cost)) {
      arrivals.wakeToDrop();
      return Offer.SUSPENDED;
    }
    BatchAccumulator.Appended appended = null;
    try {
      appended = queueOf(digest).attest(sensorId, idBytes, throughMs, cost);
      return arrivals.answer(appended);
    } finally {
      if (appended == null || !appended.takesRoom()) {
        limit.release(cost);
      }
    }
  }

  /** Offers until there is room, for at most so long. */
  Offer offer(Reading reading, long timeoutNanos) throws InterruptedException {
    long endNanos = System.nanoTime() + timeoutNanos;
    Offer offer = offer(reading, null);
    while (offer == Offer.SUSPENDED) {
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0) {
        return offer;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(Math.min(leftNanos, PAUSE_NANOS));
      offer = offer(reading, null);
    }
    return offer;
  }

  /** Takes no more readings; what was taken is due at once. */
  void close() {
    closed = true;
    queues.close();
  }

  private Offer append(Reading reading, long digest, Acknowledgement acknowledgement, long cost) {
    ReadingQueue queue = queueOf(digest);
    Offer offer = null;
    try {
      offer = arrivals.answer(queue.append(reading, digest, acknowledgement));
    } finally {
      if (offer != Offer.ACCEPTED) {
        // Not taken, or something was thrown: either way it must not keep its room.
        limit.release(cost);
      }
    }
    return offer == Offer.ACCEPTED ? offer : metrics.notAccepted(offer);
  }

  private ReadingQueue queueOf(long digest) {
    return queues.of(SensorPartition.ofHash(IdDigest.hash(digest)));
  }
}
