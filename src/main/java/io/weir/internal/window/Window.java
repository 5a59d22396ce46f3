package io.weir.internal.window;

import io.weir.internal.window.aggregate.Statistics;
import io.weir.internal.window.durable.DurableAggregate;
import io.weir.reading.Quality;

/**
 * One window of one sensor: an aggregate with its start and its emission state. Not thread-safe.
 */
public final class Window extends DurableAggregate implements Span {
  private static final int NEVER_EMITTED = -1;
  private static final int BAD = Quality.BAD.number();

  private final long startMs;
  private int revision = NEVER_EMITTED;
  private boolean closed;

  /** Its gateway attested that it is complete while it was open. */
  private boolean complete;

  private boolean changedSinceEmit;

  /** Rules have judged it. */
  private boolean judged;

  /** It may lack deleted readings; it is emitted only with redriven ones. */
  private boolean withheld;

  /**
   * A new window.
   *
   * @param statistics empty; null for none
   */
  Window(long startMs, Statistics statistics) {
    super(statistics);
    this.startMs = startMs;
  }

  /**
   * Restores a window from the values of the getters; its aggregate is restored separately.
   *
   * @param emissions how often it was emitted
   * @param complete whether it was closed as complete
   * @param detached whether it was read from a separate entry
   */
  public Window(
      long startMs,
      int emissions,
      boolean closed,
      boolean complete,
      boolean changedSinceEmit,
      boolean detached) {
    super(detached);
    this.startMs = startMs;
    this.revision = emissions - 1;
    this.closed = closed;
    this.complete = complete;
    this.changedSinceEmit = changedSinceEmit;
  }

  void addReading(long timestampMs, double value, int quality) {
    if (quality == BAD) {
      addBad();
    } else if (statistics() == null) {
      add(value);
    } else {
      add(timestampMs, value, Quality.ofNumber(quality) == Quality.UNCERTAIN);
    }
    addedReadings(1);
  }

  /** Adds readings that are not bad; only without further statistics. */
  void addReadings(double[] values, int from, int to) {
    addAll(values, from, to);
    addedReadings(to - from);
  }

  private void addedReadings(int readings) {
    changedSinceEmit = true;
    changedByReadings(readings);
  }

  void close() {
    closed = true;
    changed();
  }

  /** Closes it finally: it accepts no further readings. */
  void complete() {
    complete = true;
    close();
  }

  /** It may lack readings that were deleted before they were read: no time emits it. */
  void withhold() {
    if (!withheld) {
      withheld = true;
      closed = true;
      changed();
    }
  }

  /** Restores that it is withheld. */
  public void resumeWithheld() {
    withheld = true;
  }

  /** What is in it needs no emission. */
  void settle() {
    changedSinceEmit = false;
    changed();
  }

  /** Counts an emission. */
  void emitted() {
    revision = Math.incrementExact(revision);
    settle();
  }

  /** First millisecond, since the Unix epoch. */
  @Override
  public long startMs() {
    return startMs;
  }

  /** Number of the last emission: 0 for the first. */
  public int revision() {
    return revision;
  }

  /** How often it was emitted. */
  public int emissions() {
    return revision + 1;
  }

  public boolean closed() {
    return closed;
  }

  /** Whether it was closed as complete, so that it accepts no readings and is not emitted again. */
  public boolean isComplete() {
    return complete;
  }

  /** Whether it may lack readings that were deleted before they were read. */
  public boolean isWithheld() {
    return withheld;
  }

  /** Rules have judged it, or had before it was restored. */
  public void judge() {
    judged = true;
  }

  /** Whether rules have judged it: an older window is not judged any more. */
  public boolean isJudged() {
    return judged;
  }

  /** Whether a reading was added since the last emission. */
  public boolean changedSinceEmit() {
    return changedSinceEmit;
  }
}
