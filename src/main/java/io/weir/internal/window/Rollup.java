package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;

/**
 * A span of a fixed size, aligned to the epoch, such as a day: its settled values and its emission
 * state. The other values are in the kept windows and smaller rollups within it. Not thread-safe.
 */
public final class Rollup extends WideSpan {
  /** Values of the evicted windows and smaller rollups; null for none. */
  private Aggregate settled;

  Rollup(long startMs, long sizeMs) {
    super(startMs, sizeMs);
  }

  /**
   * Restores it from the values of the getters.
   *
   * @param settled null for none; not used by the caller afterwards
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

  /** The settled values, or null. */
  public Aggregate settled() {
    return settled;
  }

  /** Adds evicted values, which are later than all settled ones. */
  void settle(Aggregate later) {
    settled = joined(settled, later);
  }
}
