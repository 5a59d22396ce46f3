package io.weir.edge;

import io.weir.reading.Reading;
import io.weir.reading.ReadingRules;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handles offers: validates the reading, reserves capacity and appends it to the queue of its
 * partition. Thread-safe.
 */
final class OfferHandler {
  private final int maxIdBytes;
  private final boolean ordered;
  private final PartitionQueues<ReadingQueue> queues;
  private final PublisherMetrics metrics;
  private final Arrivals arrivals;
  private final Splits splits;
  private volatile boolean closed;

  OfferHandler(PublisherContext context, PartitionQueues<ReadingQueue> queues, Wakeup wakeup) {
    this.maxIdBytes = context.settings().maxIdBytes();
    this.ordered = context.settings().ordered();
    this.queues = queues;
    this.metrics = context.metrics();
    this.arrivals = new Arrivals(context.limit(), wakeup);
    this.splits = new Splits(context.settings().splits());
  }

  Offer offer(Reading reading, int nanosOfMs, Acknowledgement acknowledgement) {
    if (!splits.isSplit(reading.sensorId())) {
      return offerWhole(reading, nanosOfMs, acknowledgement);
    }
    return splits.offer(
        reading,
        partId ->
            offerWhole(
                new Reading(partId, reading.timestampMs(), reading.value(), reading.quality()),
                nanosOfMs,
                acknowledgement));
  }

  private Offer offerWhole(Reading reading, int nanosOfMs, Acknowledgement acknowledgement) {
    if (closed) {
      return metrics.counted(Offer.CLOSED);
    }
    long digest = IdDigest.of(reading.sensorId());
    if (IdDigest.bytes(digest) == IdDigest.NOT_TEXT) {
      return metrics.counted(Offer.REFUSED_SENSOR_ID_NOT_TEXT);
    }
    RejectReason refusal =
        ReadingRules.refusal(
            IdDigest.bytes(digest), reading.timestampMs(), reading.value(), maxIdBytes);
    if (refusal != null) {
      return metrics.counted(Offer.refused(refusal));
    }
    long cost = QueueLimit.costOf(IdDigest.bytes(digest), acknowledgement);
    if (!arrivals.acquire(cost)) {
      if (ordered) {
        queueOf(digest).turnedAway(reading);
      }
      return metrics.counted(Offer.SUSPENDED);
    }
    return append(reading, nanosOfMs, digest, acknowledgement, cost);
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
    if (!arrivals.acquire(cost)) {
      return Offer.SUSPENDED;
    }
    BatchAccumulator.Appended appended = null;
    try {
      appended = queueOf(digest).attest(sensorId, idBytes, throughMs, cost);
    } finally {
      arrivals.releaseUnlessTaken(appended, cost);
    }
    return arrivals.answer(appended);
  }

  /** Rejects further readings; accepted ones are due immediately. */
  void close() {
    closed = true;
    queues.close();
  }

  private Offer append(
      Reading reading, int nanosOfMs, long digest, Acknowledgement acknowledgement, long cost) {
    BatchAccumulator.Appended appended = null;
    try {
      appended = queueOf(digest).append(reading, nanosOfMs, digest, cost, acknowledgement);
    } finally {
      arrivals.releaseUnlessTaken(appended, cost);
    }
    return metrics.counted(arrivals.answer(appended));
  }

  private ReadingQueue queueOf(long digest) {
    return queues.of(SensorPartition.ofHash(IdDigest.hash(digest)));
  }

  /**
   * Publishes sensors under several ids, round-robin: {@code vib-1} as {@code vib-1/1} to {@code
   * vib-1/8}. Only an accepted reading advances to the next part, so that a suspended reading is
   * offered to the same part again and each part keeps the order of the offers. Thread-safe;
   * without splits there is no look-up.
   */
  static final class Splits {
    private final Map<String, Parts> byId = new HashMap<>();

    private static final class Parts {
      private final List<String> ids = new ArrayList<>();
      private final AtomicLong turn = new AtomicLong();

      Parts(String sensorId, int count) {
        for (int part = 1; part <= count; part++) {
          ids.add(sensorId + "/" + part);
        }
      }

      int next() {
        return (int) (turn.get() % ids.size());
      }
    }

    /** Offers one part. */
    @FunctionalInterface
    interface Offering {
      Offer offer(String partId);
    }

    /**
     * @param partsBySensor number of parts per sensor
     */
    Splits(Map<String, Integer> partsBySensor) {
      partsBySensor.forEach((sensorId, count) -> byId.put(sensorId, new Parts(sensorId, count)));
    }

    boolean isSplit(String sensorId) {
      return !byId.isEmpty() && byId.containsKey(sensorId);
    }

    /** Offers a reading of a split sensor to its current part. */
    Offer offer(Reading reading, Offering offering) {
      Parts parts = byId.get(reading.sensorId());
      Offer offer = offering.offer(parts.ids.get(parts.next()));
      if (offer == Offer.ACCEPTED) {
        parts.turn.incrementAndGet();
      }
      return offer;
    }

    /** Offers each part of a split sensor, until one is not accepted. */
    Offer offerAll(String sensorId, Offering offering) {
      Offer offer = Offer.ACCEPTED;
      for (String id : byId.get(sensorId).ids) {
        offer = offer == Offer.ACCEPTED ? offering.offer(id) : offer;
      }
      return offer;
    }
  }
}
