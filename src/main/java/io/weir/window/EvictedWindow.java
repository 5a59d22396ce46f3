package io.weir.window;

import io.weir.window.aggregate.Aggregate;
import io.weir.window.durable.DurableSpan;

/**
 * What a window held when it was evicted, which nothing changes any more: kept for the hopping
 * windows that are still to come and hold it. Not safe for several threads.
 */
public final class EvictedWindow extends DurableSpan implements Span {
  private final long startMs;
  private final Aggregate values;

  EvictedWindow(Window window) {
    super(false);
    this.startMs = window.startMs();
    this.values = Aggregate.spanOf(window);
  }

  /**
   * One that was kept.
   *
   * @param values not to be used elsewhere afterwards
   */
  public EvictedWindow(long startMs, Aggregate values) {
    super(true);
    this.startMs = startMs;
    this.values = values;
  }

  @Override
  public long startMs() {
    return startMs;
  }

  /** Not to be changed. */
  public Aggregate values() {
    return values;
  }
}
