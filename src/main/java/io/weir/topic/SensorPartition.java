package io.weir.topic;

import io.weir.reading.Fnv1a;

/**
 * The partition of a sensor: FNV-1a of its id's UTF-8 bytes, unsigned modulo {@value #COUNT}.
 * Gateways and topology use this function on every per-sensor topic.
 */
public final class SensorPartition {
  /** Number of partitions of Weir's topics. Another number would move sensors. */
  public static final int COUNT = 64;

  private SensorPartition() {}

  /** The partition of a sensor, from 0 to 63. */
  public static int of(String sensorId) {
    return ofHash(Fnv1a.hash(sensorId));
  }

  /** The partition of a sensor whose id hashes to {@code fnv1a}. */
  public static int ofHash(int fnv1a) {
    return fnv1a & (COUNT - 1);
  }
}
