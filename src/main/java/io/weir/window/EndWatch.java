package io.weir.window;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * Sensors by the append time from which on something of theirs may be emitted as idle, each at one
 * time only: in contrast to {@link Deadlines}, that time may become earlier again and again while
 * another, far ahead, remains. A call costs O(log n). Not safe for several threads.
 */
final class EndWatch {
  private static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<SensorWindows> byEnd =
      new TreeSet<>(
          Comparator.comparingLong((SensorWindows sensor) -> sensor.endWatchMs())
              .thenComparing(SensorWindows::id, Arrays::compareUnsigned));

  /**
   * Watches a sensor for a time, in place of the one that it was watched for.
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

  /** Takes out the first sensor whose time has come, or gives null. */
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

  /** Watches nobody. */
  void clear() {
    byEnd.forEach(sensor -> sensor.endWatchMs(NEVER));
    byEnd.clear();
  }
}
