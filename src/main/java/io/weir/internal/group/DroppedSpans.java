package io.weir.internal.group;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The dropped windows of a group, as intervals of event time: adjacent windows are one interval.
 * Above {@value #MOST} intervals the two oldest are merged, so that the windows between them count
 * as dropped too. Not safe for several threads.
 */
public final class DroppedSpans {
  /** Maximum number of intervals of a group. */
  public static final int MOST = 100;

  /** Memory of a group without its name, and of each interval, in bytes. */
  static final int OVERHEAD_BYTES = 300;

  static final int SPAN_BYTES = 88;

  private final TreeMap<Long, Long> endByStart = new TreeMap<>();
  private long lastMs;

  /**
   * @param lastMs log time of the last drop of a window
   */
  public DroppedSpans(long lastMs) {
    this.lastMs = lastMs;
  }

  boolean contains(long startMs) {
    Map.Entry<Long, Long> span = endByStart.floorEntry(startMs);
    return span != null && startMs < span.getValue();
  }

  void add(long startMs, long endMs, long logMs) {
    lastMs = logMs;
    restore(startMs, endMs);
    while (endByStart.size() > MOST) {
      Map.Entry<Long, Long> oldest = endByStart.pollFirstEntry();
      Map.Entry<Long, Long> next = endByStart.pollFirstEntry();
      endByStart.put(oldest.getKey(), next.getValue());
    }
  }

  /** Adds an interval, merged with those that it touches. */
  public void restore(long startMs, long endMs) {
    long from = startMs;
    long to = endMs;
    Map.Entry<Long, Long> before = endByStart.floorEntry(startMs);
    if (before != null && before.getValue() >= startMs) {
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    for (Map.Entry<Long, Long> next = endByStart.ceilingEntry(from);
        next != null && next.getKey() <= to;
        next = endByStart.ceilingEntry(from)) {
      to = Math.max(to, next.getValue());
      endByStart.remove(next.getKey());
    }
    endByStart.put(from, to);
  }

  /** The ends of the intervals by start, ascending; not to be changed. */
  public Map<Long, Long> spans() {
    return Collections.unmodifiableMap(endByStart);
  }

  /** Log time of the last drop of a window. */
  public long lastMs() {
    return lastMs;
  }

  long memoryBytes(String group) {
    return OVERHEAD_BYTES + 2L * group.length() + (long) SPAN_BYTES * endByStart.size();
  }
}
