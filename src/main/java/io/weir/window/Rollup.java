package io.weir.window;

import io.weir.window.aggregate.Aggregate;

/**
 * A span of a fixed size and place, such as a day: what is settled of it, and how it was emitted.
 * What is not settled is in the windows and the smaller rollups within it that are kept. Not safe
 * for several threads.
 */
public final class Rollup extends WideSpan {
  /** Of the windows and smaller rollups that were evicted; null for none. */
  private Aggregate settled;

  /** It has a durable form. */
  private boolean stored;

  /** It waits to be written. */
  private boolean unwritten;

  private boolean evicted;

  Rollup(long startMs, long sizeMs) {
    super(startMs, sizeMs);
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
    super(startMs, sizeMs, emissions, closed, leftOut, emittedReadings);
    this.settled = settled;
    this.stored = true;
  }

  /** What is settled, or null. */
  public Aggregate settled() {
    return settled;
  }

  /** Takes what is evicted, which is of a later time than all that was settled before. */
  void settle(Aggregate later) {
    settled = joined(settled, later);
  }

  /** Returns whether it was to be written before. */
  boolean markUnwritten() {
    boolean before = unwritten;
    unwritten = true;
    return before;
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
