package io.weir.window;

/**
 * The times of a partition, all taken from the append times of its records and from nothing else,
 * so that any pass over the same records gives the same times.
 *
 * <ul>
 *   <li><b>Append time</b> is that of the record at hand. It goes back where the clock of a
 *       partition's new leader is behind that of the one before.
 *   <li><b>Newest time</b> is the latest append time so far, of leaders whose clocks are plausible:
 *       what lies in the future is held against {@link #latestMs()}, the later of the two. An
 *       append time that is more than an hour ahead of it does not become it until those of 60 s of
 *       records in a row are, which are within an hour of each other: an outage has ended then, or
 *       all clocks were wrong before.
 *   <li><b>Log time</b> is the sum of the gaps between the append times of consecutive records,
 *       each cut to 0 .. the longest gap. It never goes back, a clock that jumps moves it by one
 *       longest gap at the most, and an outage is nobody's silence. All durations are measured in
 *       it. It begins with the append time of the first record.
 * </ul>
 *
 * All in milliseconds. Not safe for several threads.
 */
public final class PartitionTime {
  /** No record was ever seen. */
  public static final long NONE = Long.MIN_VALUE;

  /** An append time becomes the newest where it is no further ahead of the newest one. */
  private static final long ACCEPTED_AHEAD_MS = 3_600_000;

  /** Append times that are further ahead do after so much of them. */
  private static final long ACCEPTED_AFTER_MS = 60_000;

  private final long longestGapMs;
  private long appendMs = NONE;
  private long logMs = NONE;

  /** The newest time, or {@link #NONE} where it is the append time. */
  private long newestMs = NONE;

  /** First append time of those in a row that are too far ahead, or {@link #NONE}. */
  private long aheadSinceMs = NONE;

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

  /** Puts back what was kept of the newest time; without it, that is the append time. */
  public void restoreNewest(long newest, long aheadSince) {
    newestMs = newest;
    aheadSinceMs = aheadSince;
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
   * The later of append time and newest time, or {@link #NONE}: what is later than it by more than
   * a clock may be wrong is in the future.
   */
  public long latestMs() {
    return Math.max(appendMs, newestMs);
  }

  /** The newest time where it is not the append time, else {@link #NONE}. */
  public long newestMs() {
    return newestMs;
  }

  /** Since which append time those in a row are too far ahead, or {@link #NONE}. */
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
