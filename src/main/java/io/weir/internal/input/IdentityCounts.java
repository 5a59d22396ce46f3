package io.weir.internal.input;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts of all {@link Identities}. Thread-safe. */
final class IdentityCounts {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityCounts.class);
  private static final int MOST_LINES = 100;

  private final LongAdder remembered = new LongAdder();
  private final LongAdder evictedIdentities = new LongAdder();
  private final LongAdder evictedSensors = new LongAdder();
  private final LongAdder collisions = new LongAdder();
  private final AtomicLong lines = new AtomicLong();

  /** By level; empty for one that has several. */
  private final Map<Integer, String> onlySenders = new ConcurrentHashMap<>();

  void remembered(long identities) {
    remembered.add(identities);
  }

  void forgot(long identities) {
    remembered.add(-identities);
  }

  void evictedIdentities(long identities) {
    evictedIdentities.add(identities);
  }

  /** Whether there was another sender of its level than this one. */
  boolean hasSeveral(int level, String sender) {
    return sender.equals(Delivery.NEWCOMERS)
        || !sender.equals(
            onlySenders.merge(level, sender, (one, now) -> one.equals(now) ? one : ""));
  }

  void evictedSensor() {
    evictedSensors.increment();
  }

  void collided(String id, boolean first) {
    collisions.increment();
    if (first && lines.getAndIncrement() < MOST_LINES) {
      LOG.warn(
          "two series have the sensor id '{}': add the tag that differs to the template of sensor"
              + " ids, or set weir.edge.id.collisions=refuse",
          id);
    }
  }

  long identities() {
    return remembered.sum();
  }

  long allEvictedIdentities() {
    return evictedIdentities.sum();
  }

  long allEvictedSensors() {
    return evictedSensors.sum();
  }

  long allCollisions() {
    return collisions.sum();
  }
}
