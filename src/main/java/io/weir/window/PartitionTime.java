package io.weir.window;

/**
 * The two times of a partition, both taken from the append times of its records and from nothing
 * else, so that any pass over the same records gives the same times.
 *
 * <ul>
 *   <li><b>Append time</b> is that of the record at hand. It goes back where the clock of a
 *       partition's new leader is behind that of the one before. Event times are held against it.
 *   <li><b>Log time</b> is the sum of the gaps between the append times of consecutive records,
 *       each cut to 0 .. the longest gap. It never goes back, a clock that jumps moves it by one
 *       longest gap at the most, and an outage is nobody's silence. All durations are measured in
 *       it. It begins with the append time of the first record.
 * </ul>
 *
 * Both in milliseconds. Not safe for several threads.
 */
public final class PartitionTime {
  /** No record was ever seen. */
  public static final long NONE = Long.MIN_VALUE;

  private final long longestGapMs;
  private long appendMs = NONE;
  private long logMs = NONE;

  /**
   * @param longestGapMs how much log time passes between two records at the most
   */
  public PartitionTime(long longestGapMs) {
    this.longestGapMs = longestGapMs;
  }

  /** Puts back what was kept, or {@link #NONE} twice. */
  public void restore(long log, long append) {
    logMs = log;
    appendMs = append;
  }

  /**
   * A record is at hand.
   *
   * @param recordAppendMs its append time
   * @return how far its append time is behind that of the record before, 0 if it is not
   */
  public long observe(long recordAppendMs) {
    long before = appendMs;
    appendMs = recordAppendMs;
    if (before == NONE) {
      logMs = recordAppendMs;
      return 0;
    }
    long gapMs = recordAppendMs - before;
    logMs += Math.min(Math.max(0, gapMs), longestGapMs);
    return Math.max(0, -gapMs);
  }

  /** Append time of the record at hand, or {@link #NONE}. */
  public long appendMs() {
    return appendMs;
  }

  /** Log time of the record at hand, or {@link #NONE}. */
  public long logMs() {
    return logMs;
  }
}
