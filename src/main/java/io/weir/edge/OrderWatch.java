package io.weir.edge;

import io.weir.reading.Reading;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Checks whether the sensors of a partition report in the order of time, and whether suspended
 * readings are offered again: a sensor with a missing reading is not complete. Guarded by its
 * partition's queue. An accepted reading costs one look-up.
 */
final class OrderWatch {
  /**
   * Above this number of sensors all are forgotten; an out-of-order reading may then go undetected.
   */
  private static final int MAX_SENSORS = 1 << 14;

  /**
   * Above this number of suspended readings, missing readings are no longer tracked individually.
   */
  private static final int MAX_MISSING = 1 << 12;

  /** Of the readings of a sensor. */
  private static final Comparator<Reading> ORDER =
      Comparator.comparingLong(Reading::timestampMs)
          .thenComparingDouble(Reading::value)
          .thenComparing(Reading::quality);

  private final Map<String, long[]> newestMs = new HashMap<>();
  private final Map<String, SortedSet<Reading>> missingOf = new HashMap<>();
  private int missing;
  private boolean missingUnknown;
  private long outOfOrder;

  /**
   * A reading is accepted. Returns whether its sensor is complete up to it: no newer reading was
   * accepted, and no suspended reading is missing.
   */
  boolean accepted(Reading reading) {
    boolean noneMissing = isNoneMissing(reading);
    boolean inOrder = isNewest(reading);
    if (!inOrder) {
      outOfOrder++;
    }
    return inOrder && noneMissing;
  }

  /** A reading was suspended; its caller may offer it again. */
  void turnedAway(Reading reading) {
    if (missing >= MAX_MISSING) {
      missingUnknown = true;
      return;
    }
    SortedSet<Reading> ofSensor =
        missingOf.computeIfAbsent(reading.sensorId(), id -> new TreeSet<>(ORDER));
    if (ofSensor.add(reading)) {
      missing++;
    }
  }

  /** Number of readings that were older than an earlier reading of their sensor. */
  long outOfOrder() {
    return outOfOrder;
  }

  private boolean isNewest(Reading reading) {
    long[] newest = newestMs.get(reading.sensorId());
    if (newest == null) {
      if (newestMs.size() >= MAX_SENSORS) {
        newestMs.clear();
      }
      newestMs.put(reading.sensorId(), new long[] {reading.timestampMs()});
      return true;
    }
    if (reading.timestampMs() < newest[0]) {
      return false;
    }
    newest[0] = reading.timestampMs();
    return true;
  }

  private boolean isNoneMissing(Reading reading) {
    if (missingOf.isEmpty()) {
      return !missingUnknown;
    }
    SortedSet<Reading> ofSensor = missingOf.get(reading.sensorId());
    if (ofSensor == null) {
      return !missingUnknown;
    }
    if (ofSensor.remove(reading)) {
      missing--;
    }
    if (ofSensor.isEmpty()) {
      missingOf.remove(reading.sensorId());
    }
    return ofSensor.isEmpty() && !missingUnknown;
  }
}
