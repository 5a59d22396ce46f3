package io.weir.window;

import io.weir.window.aggregate.Aggregate;

/** Where windows and rollups go when they are emitted; by default nobody expects rollups. */
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

  /** Hears of a rollup that would be emitted now for the first time, and is not as a whole. */
  default void leftOut(LeftOut what) {
    throw new UnsupportedOperationException("no sink for rollups");
  }

  /**
   * Hears that a window was closed by its sensor's time or as complete, once, in the order of the
   * windows, and before it is emitted for that. One that opened after its close is not closed.
   */
  default void closed(SensorWindows sensor, Window window) {}

  /** Hears that a batch gave readings to a sensor, after its time has moved. */
  default void heard(SensorWindows sensor) {}

  /** Hears that a sensor is about to be forgotten: it still has its time. */
  default void forgetting(SensorWindows sensor) {}

  /** Hears that nothing of a sensor is kept any more. */
  default void purged(SensorWindows sensor) {}
}
