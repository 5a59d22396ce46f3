package io.weir.window;

import io.weir.window.aggregate.Aggregate;

/**
 * Where windows, rollups and hopping windows go when they are emitted; by default nobody expects
 * more than windows.
 */
@FunctionalInterface
public interface WindowSink {
  /** Takes a window as it stands; it goes on changing afterwards. */
  void emit(SensorWindows sensor, Window window, CloseReason reason);

  /**
   * Takes a rollup.
   *
   * @param values of all readings of its span; not kept elsewhere
   */
  default void emit(SensorWindows sensor, Rollup rollup, Aggregate values, CloseReason reason) {
    throw new UnsupportedOperationException("no sink for rollups");
  }

  /**
   * Takes a hopping window.
   *
   * @param values of all readings of its span; not kept elsewhere
   */
  default void emit(SensorWindows sensor, Hop hop, Aggregate values, CloseReason reason) {
    throw new UnsupportedOperationException("no sink for hopping windows");
  }

  /** Hears of what would be emitted now for the first time, and is not as a whole. */
  default void leftOut(LeftOut what) {
    throw new UnsupportedOperationException("no sink for longer spans");
  }
}
