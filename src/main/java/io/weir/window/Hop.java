package io.weir.window;

/**
 * A hopping window: the span of fixed length that ends with a window, how it was emitted. It is
 * kept, and written, as long as the window that it ends with. Not safe for several threads.
 */
public final class Hop extends WideSpan {
  Hop(long startMs, long sizeMs) {
    super(startMs, sizeMs);
  }

  /** Goes on from what the getters once gave. */
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
