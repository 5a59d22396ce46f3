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
  }

  /** What is settled, or null. */
  public Aggregate settled() {
    return settled;
  }

  /** Takes what is evicted, which is of a later time than all that was settled before. */
  void settle(Aggregate later) {
    settled = joined(settled, later);
  }
}
