package io.weir.window;

import io.weir.window.aggregate.Aggregate;

/**
 * A span of one sensor that is larger than a window: what is settled of it, and how it was emitted.
 * What is not settled stands in the windows and the smaller rollups within it that are kept. Not
 * safe for several threads.
 */
public final class Rollup implements Span {
  private final long startMs;
  private final long sizeMs;
  private int emissions;
  private boolean closed;

  /** It was not emitted when it should have been, as its readings are not all known. */
  private boolean leftOut;

  /** Readings in it, bad ones among them, when it was emitted last. */
  private long emittedReadings;

  /** Of the windows and smaller rollups that were evicted; null for none. */
  private Aggregate settled;

  /** It has a durable form. */
  private boolean stored;

  /** It waits to be written. */
  private boolean unwritten;

  private boolean evicted;

  /** A window in it was amended by the batch under way. */
  private boolean amended;

  Rollup(long startMs, long sizeMs) {
    this.startMs = startMs;
    this.sizeMs = sizeMs;
  }

  /**
   * Goes on from what the getters once gave.
   *
   * @param settled null for none; not to be used elsewhere afterwards
   */
  public Rollup(
      long startMs,
      long sizeMs,
      int emissions,
      boolean closed,
      boolean leftOut,
      long emittedReadings,
      Aggregate settled) {
    this(startMs, sizeMs);
    this.emissions = emissions;
    this.closed = closed;
    this.leftOut = leftOut;
    this.emittedReadings = emittedReadings;
    this.settled = settled;
    this.stored = true;
  }

  @Override
  public long startMs() {
    return startMs;
  }

  /** First millisecond after it. */
  public long endMs() {
    return startMs + sizeMs;
  }

  /** Its length in milliseconds. */
  public long sizeMs() {
    return sizeMs;
  }

  /** How often it was emitted. */
  public int emissions() {
    return emissions;
  }

  /** Number of the last emission: 0 for the first. */
  public int revision() {
    return emissions - 1;
  }

  public boolean closed() {
    return closed;
  }

  /** Whether it was left out when it should have been emitted. */
  public boolean leftOut() {
    return leftOut;
  }

  /** Readings in it, bad ones among them, when it was emitted, or left out, last; 0 if never. */
  public long emittedReadings() {
    return emittedReadings;
  }

  /** What is settled, or null. */
  public Aggregate settled() {
    return settled;
  }

  void close() {
    closed = true;
  }

  /** A window in it is open again, since the grace became longer. */
  void reopen() {
    closed = false;
  }

  /** Takes what is evicted, which is of a later time than all that was settled before. */
  void settle(Aggregate later) {
    if (settled == null) {
      settled = Aggregate.spanOf(later);
    } else {
      settled.mergeCommon(later);
    }
  }

  /** Counts an emission: what is emitted now has this revision, and holds so many readings. */
  void emitted(long readings) {
    emissions = Math.incrementExact(emissions);
    emittedReadings = readings;
  }

  /** Returns whether it is left out for the first time. */
  boolean leaveOut(long readings) {
    boolean first = !leftOut;
    leftOut = true;
    emittedReadings = readings;
    return first;
  }

  /** Returns whether it was to be written before. */
  boolean markUnwritten() {
    boolean before = unwritten;
    unwritten = true;
    return before;
  }

  /** Returns whether it was marked before. */
  boolean markAmended() {
    boolean before = amended;
    amended = true;
    return before;
  }

  void unmarkAmended() {
    amended = false;
  }

  void evict() {
    evicted = true;
  }

  /** Whether it is kept no longer. */
  boolean evicted() {
    return evicted;
  }

  /** Whether it has a durable form. */
  boolean stored() {
    return stored;
  }

  /** Says that it was just written. */
  public void written() {
    stored = true;
    unwritten = false;
  }
}
