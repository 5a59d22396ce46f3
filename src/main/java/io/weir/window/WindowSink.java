package io.weir.window;

import io.weir.window.aggregate.Aggregate;

/**
 * Where windows, rollups and hopping windows go when they are emitted; by default nobody expects
 * more than windows.
 */
@FunctionalInterface
public interface WindowSink {
  /** Takes a window as it is; it goes on changing afterwards. */
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

  /** Called for what would be emitted now for the first time, and is not emitted as a whole. */
  default void leftOut(LeftOut what) {
    throw new UnsupportedOperationException("no sink for longer spans");
  }

  /**
   * Called when a window was closed by its sensor's time or as complete, once, in the order of the
   * windows, and before it is emitted for that. One that opened after its close is not closed.
   */
  default void closed(SensorWindows sensor, Window window) {}

  /** Called after a batch added readings to a sensor and its time has moved. */
  default void received(SensorWindows sensor) {}

  /** Called before a sensor is forgotten: it still has its time. */
  default void forgetting(SensorWindows sensor) {}

  /** Called when nothing of a sensor is kept any more. */
  default void purged(SensorWindows sensor) {}
}
