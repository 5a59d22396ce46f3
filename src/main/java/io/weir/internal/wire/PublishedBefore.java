package io.weir.internal.wire;

import io.weir.v1.AcceptedLoss;
import io.weir.v1.PublishedSensors;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * For each sensor of a partition, the time before which another life of the application may have
 * published windows in full. Exact for 4,096 sensors; of more, several have one time together, the
 * latest. One thread.
 */
public final class PublishedBefore {
  static final int MOST = 4_096;

  /** By hashes of sensors without their last bits. */
  private NavigableMap<Long, Long> beforeMs = new TreeMap<>();

  private int shift;

  /** Of sensors that are not in the map. */
  private final long othersMs;

  /** No windows. */
  public PublishedBefore() {
    this(0);
  }

  private PublishedBefore(long othersMs) {
    this.othersMs = othersMs;
  }

  /** Those of an order. */
  public static PublishedBefore of(AcceptedLoss loss) {
    PublishedSensors sensors = loss.getPublishedSensors();
    if (!loss.hasPublishedSensors() || sensors.getHashCount() != sensors.getBeforeMsCount()) {
      return new PublishedBefore(loss.getPublishedBeforeMs());
    }
    PublishedBefore published = new PublishedBefore();
    published.shift = sensors.getShift();
    for (int i = 0; i < sensors.getHashCount(); i++) {
      published.beforeMs.put(sensors.getHash(i), sensors.getBeforeMs(i));
    }
    return published;
  }

  /** Adds a window. */
  public void add(String sensorId, long startMs) {
    beforeMs.merge(hash(sensorId) >>> shift, startMs + 1, Math::max);
    while (beforeMs.size() > MOST) {
      NavigableMap<Long, Long> shorter = new TreeMap<>();
      beforeMs.forEach((hash, timeMs) -> shorter.merge(hash >>> 1, timeMs, Math::max));
      beforeMs = shorter;
      shift++;
    }
  }

  /** Windows of a sensor that start before this may have been published; 0 for none. */
  public long ofSensor(String sensorId) {
    return beforeMs.getOrDefault(hash(sensorId) >>> shift, othersMs);
  }

  /** As part of an order. */
  public void writeTo(AcceptedLoss.Builder order) {
    order
        .setPublishedBeforeMs(beforeMs.values().stream().reduce(othersMs, Math::max))
        .setPublishedSensors(
            PublishedSensors.newBuilder()
                .addAllHash(beforeMs.keySet())
                .addAllBeforeMs(beforeMs.values())
                .setShift(shift));
  }

  private static long hash(String sensorId) {
    return UUID.nameUUIDFromBytes(sensorId.getBytes(StandardCharsets.UTF_8))
        .getMostSignificantBits();
  }
}
