package io.weir.internal.input;

import io.weir.edge.StoredReadings;
import io.weir.reading.Quality;
import io.weir.topic.SensorPartition;

/**
 * The readings accepted lately, by sensor, time, value and quality, so that a repeat is recognised.
 * Of a sensor the newest 1,024 by arrival. Memory is bounded. Thread-safe.
 */
public final class Identities implements StoredReadings.Listener {
  /** Standard deviations of the number of sensors in a partition. */
  private static final int UNEVEN = 4;

  private final IdentityCounts counts = new IdentityCounts();
  private final PartitionIdentities[] partitions = new PartitionIdentities[SensorPartition.COUNT];

  public Identities(IdentitySettings settings) {
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] =
          new PartitionIdentities(
              settings.dedup(),
              settings.collisions() == IdentitySettings.Collisions.REFUSE,
              settings.maxBytes() / partitions.length,
              new SensorShares(settings.maxSensors(), counts),
              counts);
    }
  }

  /**
   * Memory that is enough for sensors with equal rates, so that none is forgotten. A sensor keeps
   * at least its newest 32 identities, and their number is a power of two.
   *
   * @param readings of a sensor until the last repeat
   */
  public static long bytesFor(double sensors, double readings, int idBytes) {
    int capacity = KnownSensor.FEW;
    while (capacity < readings && capacity < KnownSensor.MOST) {
      capacity *= 2;
    }
    double uneven = UNEVEN * Math.sqrt(sensors * SensorPartition.COUNT);
    return (long) Math.ceil((sensors + uneven) * KnownSensor.bytes(idBytes, capacity));
  }

  @Override
  public void stored(
      String sensorId, long timestampMs, int nanosOfMs, double value, Quality quality) {
    of(SensorPartition.of(sensorId)).stored(sensorId, timestampMs, nanosOfMs, value, quality);
  }

  PartitionIdentities of(int partition) {
    return partitions[partition];
  }

  IdentityCounts counts() {
    return counts;
  }
}
