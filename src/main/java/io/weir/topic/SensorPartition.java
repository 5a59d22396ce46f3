package io.weir.topic;

import io.weir.reading.Fnv1a;

/**
 * The partition of a sensor: FNV-1a of its id's UTF-8 bytes, unsigned modulo {@value #COUNT}.
 * Gateways and topology use this function on every per-sensor topic.
 */
public final class SensorPartition {
  /** Number of partitions of Weir's topics. Another number would move sensors. */
  public static final int COUNT = 64;

  private static final int MOST_CELLS = 4_096;

  private SensorPartition() {}

  /** The partition of a sensor, from 0 to 63. */
  public static int of(String sensorId) {
    return ofHash(Fnv1a.hash(sensorId));
  }

  /**
   * The cell of a sensor on a site that several Weirs share: the upper 16 bits of FNV-1a of its id,
   * modulo {@code cells}. The lower bits select the partition, and bits that depend on them alone
   * would leave partitions of a cell empty.
   *
   * @param cells 1 to 4,096
   * @return from 0 to {@code cells} - 1
   */
  public static int cellOf(String sensorId, int cells) {
    if (cells < 1 || cells > MOST_CELLS) {
      throw new IllegalArgumentException(
          "expected 1 to " + MOST_CELLS + " cells, but was " + cells);
    }
    return (Fnv1a.hash(sensorId) >>> 16) % cells;
  }

  /** The partition of a sensor whose id hashes to {@code fnv1a}. */
  public static int ofHash(int fnv1a) {
    return fnv1a & (COUNT - 1);
  }
}
