package io.weir.edge;

import io.weir.reading.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Publishes sensors under several ids, round-robin: {@code vib-1} as {@code vib-1/1} to {@code
 * vib-1/8}. Only an accepted reading advances to the next part, so that a suspended reading is
 * offered to the same part again and each part keeps the order of the offers. Thread-safe; without
 * splits there is no look-up.
 */
final class Splits {
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
