package io.weir.window;

/**
 * The time of a partition: the largest append time seen, running on with a monotonic clock while no
 * record comes. No gateway can set it, and no wall clock of the application's either. Not safe for
 * several threads.
 */
public final class PartitionTime {
  /** No record was ever seen. */
  public static final long NONE = Long.MIN_VALUE;

  private final long silenceMs;
  private long largestAppendMs = NONE;
  private long silenceEndedMs = NONE;
  private long heardAtElapsedMs;

  /**
   * @param silenceMs append times further apart than this are a silence of the whole partition
   */
  public PartitionTime(long silenceMs) {
    this.silenceMs = silenceMs;
  }

  /** Puts back what was kept. */
  public void restore(long largestAppend, long silenceEnded) {
    largestAppendMs = largestAppend;
    silenceEndedMs = silenceEnded;
  }

  /** Lets time run on from here: what passed while nobody looked is not known. */
  public void runOn(long elapsedMs) {
    heardAtElapsedMs = elapsedMs;
  }

  /**
   * A record was seen.
   *
   * @param elapsedMs of any monotonic clock
   */
  public void observe(long appendMs, long elapsedMs) {
    if (appendMs > largestAppendMs) {
      if (largestAppendMs != NONE && appendMs - largestAppendMs > silenceMs) {
        silenceEndedMs = appendMs;
      }
      largestAppendMs = appendMs;
    }
    heardAtElapsedMs = elapsedMs;
  }

  /** Partition time, or {@link #NONE}. */
  public long nowMs(long elapsedMs) {
    return largestAppendMs == NONE
        ? NONE
        : largestAppendMs + Math.max(0, elapsedMs - heardAtElapsedMs);
  }

  /** The largest append time seen, or {@link #NONE}. */
  public long largestAppendMs() {
    return largestAppendMs;
  }

  /** Append time of the first record after the last silence, or {@link #NONE}. */
  public long silenceEndedMs() {
    return silenceEndedMs;
  }

  /** Whether silence tells of a sensor, and not of a partition that was silent just now. */
  boolean tellsOfSensors() {
    return silenceEndedMs == NONE || largestAppendMs - silenceEndedMs >= silenceMs;
  }
}
