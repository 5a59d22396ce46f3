package io.weir.lab;

import io.weir.v1.WindowSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many readings hopping windows must hold, all together, derived from the windows that were
 * emitted: one ends with each window, and holds that one and those before it in its length. For
 * many threads.
 */
final class HopBalance {
  /** By sensor and start: readings, bad ones among them. */
  private final Map<String, TreeMap<Long, Long>> windows = new HashMap<>();

  private final Map<String, TreeMap<Long, Long>> hops = new HashMap<>();
  private long lengthMs;

  /** Takes a window, in place of the one before of its start. */
  synchronized void window(WindowSummary window) {
    put(windows, window, window.getWindowStartMs());
  }

  /** Takes a hopping window, in place of the one before. */
  synchronized void hop(WindowSummary hop) {
    lengthMs = hop.getWindowEndMs() - hop.getWindowStartMs();
    put(hops, hop, hop.getWindowEndMs());
  }

  private static void put(
      Map<String, TreeMap<Long, Long>> all, WindowSummary summary, long timeMs) {
    all.computeIfAbsent(summary.getSensorId(), id -> new TreeMap<>())
        .put(timeMs, summary.getCount() + summary.getBadCount());
  }

  /**
   * Whether every hopping window that there must be holds all that the windows in it hold. Looks at
   * each.
   */
  synchronized boolean isWhole(long windowMs) {
    return windows.entrySet().stream()
        .allMatch(sensor -> isWhole(sensor.getValue(), hops.get(sensor.getKey()), windowMs));
  }

  private boolean isWhole(
      TreeMap<Long, Long> ofWindows, TreeMap<Long, Long> ofHops, long windowMs) {
    return ofHops != null
        && ofWindows.keySet().stream()
            .allMatch(
                startMs -> {
                  long endMs = startMs + windowMs;
                  long readings =
                      ofWindows.subMap(endMs - lengthMs, endMs).values().stream()
                          .mapToLong(Long::longValue)
                          .sum();
                  return ofHops.getOrDefault(endMs, -1L) == readings;
                });
  }
}
