package io.weir.internal.window;

/**
 * A hopping window: the span of fixed length that ends with a window, and its emission state. It is
 * kept and written with that window. Not thread-safe.
 */
public final class Hop extends WideSpan {
  Hop(long startMs, long sizeMs) {
    super(startMs, sizeMs);
  }

  /** Restores it from the values of the getters. */
  public Hop(
      long startMs,
      long sizeMs,
      int emissions,
      boolean closed,
      boolean leftOut,
      long emittedReadings) {
    super(startMs, sizeMs, emissions, closed, leftOut, emittedReadings);
  }
}
