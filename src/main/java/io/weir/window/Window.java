package io.weir.window;

import io.weir.reading.Quality;
import io.weir.window.aggregate.Statistics;
import io.weir.window.durable.DurableAggregate;

/**
 * One window of one sensor: an aggregate with its place in time and how it was emitted. Not safe
 * for several threads.
 */
public final class Window extends DurableAggregate implements Span {
  private static final int NEVER_EMITTED = -1;
  private static final int BAD = Quality.BAD.number();

  private final long startMs;
  private int revision = NEVER_EMITTED;
  private boolean closed;

  /** Its sensor's gateway said that all of its readings were handed over, while it was open. */
  private boolean complete;

  private boolean changedSinceEmit;

  /** It may lack readings that were deleted, and is emitted with accepted ones only. */
  private boolean withheld;

  /**
   * A new window.
   *
   * @param statistics of no reading yet; null for none
   */
  Window(long startMs, Statistics statistics) {
    super(statistics);
    this.startMs = startMs;
  }

  /**
   * An empty window that goes on from what the getters once gave; its aggregate is restored apart.
   *
   * @param emissions how often it was emitted
   * @param complete whether it was closed as complete
   * @param detached whether it was read from an entry of its own
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

  void take(long timestampMs, double value, int quality) {
    if (quality == BAD) {
      addBad();
    } else if (statistics() == null) {
      add(value);
    } else {
      add(timestampMs, value, Quality.ofNumber(quality) == Quality.UNCERTAIN);
    }
    took(1);
  }

  /** Takes a stretch of readings that are not bad; only where there are no further statistics. */
  void takeAll(double[] values, int from, int to) {
    addAll(values, from, to);
    took(to - from);
  }

  private void took(int readings) {
    changedSinceEmit = true;
    changedByReadings(readings);
  }

  void close() {
    closed = true;
    changed();
  }

  /** Closes it for ever: it takes no reading more. */
  void complete() {
    complete = true;
    close();
  }

  /** It may lack readings that were deleted unread: it is not emitted by any time. */
  void withhold() {
    withheld = true;
    if (!closed) {
      close();
    }
  }

  /** Counts an emission: what is emitted now has this revision. */
  void emitted() {
    revision = Math.incrementExact(revision);
    changedSinceEmit = false;
    changed();
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

  /** Whether it was closed as complete, so that it takes no readings and is not emitted again. */
  public boolean isComplete() {
    return complete;
  }

  /** Whether it may lack readings that were deleted unread. */
  public boolean isWithheld() {
    return withheld;
  }

  /** Whether a reading was added since the last emission, or since the beginning. */
  public boolean changedSinceEmit() {
    return changedSinceEmit;
  }
}
