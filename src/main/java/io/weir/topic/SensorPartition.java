package io.weir.topic;

import io.weir.reading.Fnv1a;

/**
 * Where a sensor lives: FNV-1a of its id's UTF-8 bytes, unsigned modulo {@value #COUNT}. Gateways
 * and topology share this one function; on every per-sensor topic it decides the partition.
 */
public final class SensorPartition {
  /** Partitions of every topic of Weir's. Another number would move sensors. */
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
