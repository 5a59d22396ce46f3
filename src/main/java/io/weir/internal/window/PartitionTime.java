package io.weir.internal.window;

/**
 * The times of a partition. All are derived from the append times of its records only, so that
 * reprocessing yields the same times.
 *
 * <ul>
 *   <li><b>Append time</b> is that of the current record. It goes back if the clock of a new
 *       partition leader is behind that of the previous one.
 *   <li><b>Newest time</b> is the latest plausible append time so far. Checks for future times use
 *       {@link #latestMs()}, the later of newest time and append time. An append time more than an
 *       hour ahead is accepted as the newest only after 60 s of consecutive records that are all
 *       that far ahead and within an hour of each other: then an outage has ended, or all earlier
 *       clocks were wrong.
 *   <li><b>Log time</b> is the sum of the gaps between the append times of consecutive records,
 *       each limited to 0 .. the longest gap. It never goes back, a clock that jumps advances it by
 *       at most one longest gap, and an outage does not count as inactivity. All durations are
 *       measured in it. It begins with the append time of the first record.
 * </ul>
 *
 * All in milliseconds. Not thread-safe.
 */
public final class PartitionTime {
  /** There was no record yet. */
  public static final long NONE = Long.MIN_VALUE;

  /** An append time up to this far ahead of the newest time becomes the newest. */
  private static final long ACCEPTED_AHEAD_MS = 3_600_000;

  /** Duration of consecutive records after which append times further ahead become the newest. */
  private static final long ACCEPTED_AFTER_MS = 60_000;

  private final long longestGapMs;
  private long appendMs = NONE;
  private long logMs = NONE;

  /** The newest time, or {@link #NONE} if it is the append time. */
  private long newestMs = NONE;

  /** First of the consecutive append times that are too far ahead, or {@link #NONE}. */
  private long aheadSinceMs = NONE;

  /**
   * @param longestGapMs maximum log time between two records
   */
  public PartitionTime(long longestGapMs) {
    this.longestGapMs = longestGapMs;
  }

  /** Restores both times, or {@link #NONE} for both. */
  public void restore(long log, long append) {
    logMs = log;
    appendMs = append;
  }

  /** Restores the newest time; without a call it is the append time. */
  public void restoreNewest(long newest, long aheadSince) {
    newestMs = newest;
    aheadSinceMs = aheadSince;
  }

  /**
   * Advances to a record.
   *
   * @param recordAppendMs its append time
   * @return how far its append time is behind that of the previous record, else 0
   */
  public long observe(long recordAppendMs) {
    long before = appendMs;
    appendMs = recordAppendMs;
    observeNewest(newestMs == NONE ? before : newestMs, recordAppendMs);
    if (before == NONE) {
      logMs = recordAppendMs;
      return 0;
    }
    long gapMs = recordAppendMs - before;
    logMs += Math.min(Math.max(0, gapMs), longestGapMs);
    return Math.max(0, -gapMs);
  }

  private void observeNewest(long newest, long recordAppendMs) {
    boolean ahead = newest != NONE && recordAppendMs - newest > ACCEPTED_AHEAD_MS;
    if (!ahead) {
      aheadSinceMs = NONE;
      newestMs = recordAppendMs >= newest ? NONE : newest;
      return;
    }
    long sinceMs = recordAppendMs - aheadSinceMs;
    if (aheadSinceMs == NONE || sinceMs < 0 || sinceMs > ACCEPTED_AHEAD_MS) {
      aheadSinceMs = recordAppendMs;
    }
    boolean accepted = recordAppendMs - aheadSinceMs >= ACCEPTED_AFTER_MS;
    newestMs = accepted ? NONE : newest;
    aheadSinceMs = accepted ? NONE : aheadSinceMs;
  }

  /**
   * The later of append time and newest time, or {@link #NONE}: times beyond it by more than the
   * allowed skew are in the future.
   */
  public long latestMs() {
    return Math.max(appendMs, newestMs);
  }

  /** The later of the append time of the next record and the newest time so far. */
  public long latestWith(long nextAppendMs) {
    return Math.max(nextAppendMs, newestMs == NONE ? appendMs : newestMs);
  }

  /** The newest time if it differs from the append time, else {@link #NONE}. */
  public long newestMs() {
    return newestMs;
  }

  /** First of the consecutive append times that are too far ahead, or {@link #NONE}. */
  public long aheadSinceMs() {
    return aheadSinceMs;
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
