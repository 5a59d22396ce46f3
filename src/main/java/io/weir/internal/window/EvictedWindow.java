package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.durable.DurableSpan;

/**
 * The final content of an evicted window, kept for later hopping windows that include it. Not
 * thread-safe.
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
   * Restores an evicted window.
   *
   * @param values not used by the caller afterwards
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

  /** Do not modify. */
  public Aggregate values() {
    return values;
  }
}
