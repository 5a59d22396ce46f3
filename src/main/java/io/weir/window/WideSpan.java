package io.weir.window;

import io.weir.window.aggregate.Aggregate;
import io.weir.window.durable.DurableSpan;

/**
 * A span of one sensor's time that is longer than a window: where it lies, and how it was emitted.
 * Not safe for several threads.
 */
public abstract class WideSpan extends DurableSpan implements Span {
  private final long startMs;
  private final long sizeMs;
  private int emissions;
  private boolean closed;

  /** It was not emitted when it should have been, as its readings are not all known. */
  private boolean leftOut;

  /** Readings in it, bad ones among them, when it was emitted last. */
  private long emittedReadings;

  /** A window in it was amended by the batch under way. */
  private boolean amended;

  WideSpan(long startMs, long sizeMs) {
    this(startMs, sizeMs, false);
  }

  private WideSpan(long startMs, long sizeMs, boolean stored) {
    super(stored);
    this.startMs = startMs;
    this.sizeMs = sizeMs;
  }

  /** Goes on from what the getters once gave. */
  WideSpan(
      long startMs,
      long sizeMs,
      int emissions,
      boolean closed,
      boolean leftOut,
      long emittedReadings) {
    this(startMs, sizeMs, true);
    this.emissions = emissions;
    this.closed = closed;
    this.leftOut = leftOut;
    this.emittedReadings = emittedReadings;
  }

  @Override
  public final long startMs() {
    return startMs;
  }

  /** First millisecond after it. */
  public final long endMs() {
    return startMs + sizeMs;
  }

  /** Its length in milliseconds. */
  public final long sizeMs() {
    return sizeMs;
  }

  /** How often it was emitted. */
  public final int emissions() {
    return emissions;
  }

  /** Number of the last emission: 0 for the first. */
  public final int revision() {
    return emissions - 1;
  }

  public final boolean closed() {
    return closed;
  }

  /** Whether it was left out when it should have been emitted. */
  public final boolean leftOut() {
    return leftOut;
  }

  /** Readings in it, bad ones among them, when it was emitted, or left out, last; 0 if never. */
  public final long emittedReadings() {
    return emittedReadings;
  }

  final void close() {
    closed = true;
  }

  /** A window in it is open again, since the grace became longer. */
  final void reopen() {
    closed = false;
  }

  /** Counts an emission: what is emitted now has this revision, and holds so many readings. */
  final void emitted(long readings) {
    emissions = Math.incrementExact(emissions);
    emittedReadings = readings;
  }

  /** Returns whether it is left out for the first time. */
  final boolean leaveOut(long readings) {
    boolean first = !leftOut;
    leftOut = true;
    emittedReadings = readings;
    return first;
  }

  /** Returns whether it was marked before. */
  final boolean markAmended() {
    boolean before = amended;
    amended = true;
    return before;
  }

  final void unmarkAmended() {
    amended = false;
  }

  /**
   * What two aggregates hold together, merged into the first one.
   *
   * @param earlier null for nothing yet; not to be used elsewhere afterwards
   * @param later of a later time, which stays as it is
   */
  static Aggregate joined(Aggregate earlier, Aggregate later) {
    if (earlier == null) {
      return Aggregate.spanOf(later);
    }
    earlier.mergeCommon(later);
    return earlier;
  }
}
