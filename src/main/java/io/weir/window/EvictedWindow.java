package io.weir.window;

import io.weir.window.aggregate.Aggregate;

/**
 * What a window held when it was evicted, which nothing changes any more: kept for the hopping
 * windows that are still to come and hold it. Not safe for several threads.
 */
public final class EvictedWindow implements Span {
  private final long startMs;
  private final Aggregate values;

  /** It has a durable form. */
  private boolean stored;

  private boolean dropped;

  EvictedWindow(Window window) {
    this.startMs = window.startMs();
    this.values = Aggregate.spanOf(window);
  }

  /**
   * One that was kept.
   *
   * @param values not to be used elsewhere afterwards
   */
  public EvictedWindow(long startMs, Aggregate values) {
    this.startMs = startMs;
    this.values = values;
    this.stored = true;
  }

  @Override
  public long startMs() {
    return startMs;
  }

  /** Not to be changed. */
  public Aggregate values() {
    return values;
  }

  /** Whether it has a durable form. */
  boolean stored() {
    return stored;
  }

  void drop() {
    dropped = true;
  }

  /** Whether it is kept no longer. */
  boolean dropped() {
    return dropped;
  }

  /** Says that it was just written. */
  void written() {
    stored = true;
  }
}
