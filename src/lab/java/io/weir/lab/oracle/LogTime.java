package io.weir.lab.oracle;

/**
 * The log time of a partition: the sum of the gaps between consecutive records' append times, each
 * cut to 0 up to the idle timeout. It never goes back. One thread.
 */
final class LogTime {
  private final long longestGapMs;
  private boolean begun;
  private long lastAppendMs;
  private long nowMs;

  LogTime(long longestGapMs) {
    this.longestGapMs = longestGapMs;
  }

  /** Takes the append time of the next record, whatever record that is. */
  void record(long appendMs) {
    if (begun) {
      nowMs += Math.min(longestGapMs, Math.max(0, appendMs - lastAppendMs));
    }
    begun = true;
    lastAppendMs = appendMs;
  }

  /** Milliseconds since the partition's first record. */
  long nowMs() {
    return nowMs;
  }
}
