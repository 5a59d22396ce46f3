package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.durable.DurableSpan;

/** A span of one sensor that is longer than a window, with its emission state. Not thread-safe. */
public abstract class WideSpan extends DurableSpan implements Span {
  private final long startMs;
  private final long sizeMs;
  private int emissions;
  private boolean closed;

  /** It was not emitted when it was due, because it is incomplete. */
  private boolean leftOut;

  /** Number of its readings, including bad ones, at its last emission. */
  private long emittedReadings;

  /** The current batch amended a window in it. */
  private boolean amended;

  WideSpan(long startMs, long sizeMs) {
    this(startMs, sizeMs, false);
  }

  private WideSpan(long startMs, long sizeMs, boolean stored) {
    super(stored);
    this.startMs = startMs;
    this.sizeMs = sizeMs;
  }

  /** Restores it from the values of the getters. */
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

  /** Number of emissions. */
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

  /** Whether it was omitted when it was due. */
  public final boolean leftOut() {
    return leftOut;
  }

  /**
   * Number of its readings, including bad ones, when it was last emitted or omitted; 0 if never.
   */
  public final long emittedReadings() {
    return emittedReadings;
  }

  final void close() {
    closed = true;
  }

  /** A window in it is open again because the grace period was increased. */
  final void reopen() {
    closed = false;
  }

  /** Counts an emission with this number of readings. */
  final void emitted(long readings) {
    emissions = Math.incrementExact(emissions);
    emittedReadings = readings;
  }

  /** Returns whether it is omitted for the first time. */
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
   * Merges an aggregate into an earlier one.
   *
   * @param earlier null for none; not used by the caller afterwards
   * @param later the later one, which is not changed
   */
  static Aggregate joined(Aggregate earlier, Aggregate later) {
    if (earlier == null) {
      return Aggregate.spanOf(later);
    }
    earlier.mergeCommon(later);
    return earlier;
  }
}
