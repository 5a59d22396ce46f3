package io.weir.group;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which windows of a group were dropped, as spans of event time: windows that follow one another
 * are one span. Of more than {@value #MOST} spans the two oldest are joined, so that what lies
 * between counts as dropped too. Not safe for several threads.
 */
public final class DroppedSpans {
  /** Most spans of a group. */
  public static final int MOST = 100;

  /** What a group takes in memory here beside its name, and each of its spans. */
  static final int OVERHEAD_BYTES = 300;

  static final int SPAN_BYTES = 88;

  private final TreeMap<Long, Long> endByStart = new TreeMap<>();
  private long lastMs;

  /**
   * @param lastMs log time at which a window was dropped last
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

  /** Puts in a span, joined with those that it touches. */
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

  /** Ends by starts, ascending; not to be changed. */
  public Map<Long, Long> spans() {
    return Collections.unmodifiableMap(endByStart);
  }

  /** Log time at which a window was dropped last. */
  public long lastMs() {
    return lastMs;
  }

  long memoryBytes(String group) {
    return OVERHEAD_BYTES + 2L * group.length() + (long) SPAN_BYTES * endByStart.size();
  }
}
