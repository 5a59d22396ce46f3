package io.weir.internal.window;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * Sensors by the append time from which they may have an idle emission, each with one time. Unlike
 * in {@link Deadlines}, that time may become earlier. A call costs O(log n). Not thread-safe.
 */
final class EndWatch {
  private static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<SensorWindows> byEnd =
      new TreeSet<>(
          Comparator.comparingLong((SensorWindows sensor) -> sensor.endWatchMs())
              .thenComparing(SensorWindows::id, Arrays::compareUnsigned));

  /**
   * Sets the time of a sensor.
   *
   * @param appendMs Long.MAX_VALUE for none
   */
  void watch(SensorWindows sensor, long appendMs) {
    if (sensor.endWatchMs() != NEVER) {
      byEnd.remove(sensor);
    }
    sensor.endWatchMs(appendMs);
    if (appendMs != NEVER) {
      byEnd.add(sensor);
    }
  }

  /** Removes and returns the first due sensor, or null. */
  SensorWindows poll(long appendMs) {
    if (byEnd.isEmpty() || byEnd.first().endWatchMs() > appendMs) {
      return null;
    }
    SensorWindows first = byEnd.pollFirst();
    first.endWatchMs(NEVER);
    return first;
  }

  int size() {
    return byEnd.size();
  }

  boolean isEmpty() {
    return byEnd.isEmpty();
  }

  /** Removes all sensors. */
  void clear() {
    byEnd.forEach(sensor -> sensor.endWatchMs(NEVER));
    byEnd.clear();
  }
}
