package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;

/** Receives emitted windows, rollups and hopping windows; by default only windows are supported. */
@FunctionalInterface
public interface WindowSink {
  /** Receives a window, which may change afterwards. */
  void emit(SensorWindows sensor, Window window, CloseReason reason);

  /**
   * Receives a rollup.
   *
   * @param values of all readings of its span; not kept elsewhere
   */
  default void emit(SensorWindows sensor, Rollup rollup, Aggregate values, CloseReason reason) {
    throw new UnsupportedOperationException("no sink for rollups");
  }

  /**
   * Receives a hopping window.
   *
   * @param values of all readings of its span; not kept elsewhere
   */
  default void emit(SensorWindows sensor, Hop hop, Aggregate values, CloseReason reason) {
    throw new UnsupportedOperationException("no sink for hopping windows");
  }

  /** Called once when a span, or a part of it, is due and is omitted. */
  default void leftOut(Omission what) {
    throw new UnsupportedOperationException("no sink for longer spans");
  }

  /**
   * Called once when a window was closed by its sensor's watermark or as complete, in the order of
   * the windows and before its emission. Not called for a window that opens after its close time.
   */
  default void closed(SensorWindows sensor, Window window) {}

  /** Called after a batch added readings to a sensor, or had readings of it that are withheld. */
  default void received(SensorWindows sensor) {}

  /**
   * Called after a batch with readings that are withheld, for each window, in order.
   *
   * @param part a window with the batch's readings only; not kept
   */
  default void withheld(SensorWindows sensor, Window part) {}

  /** Called before a sensor expires, while it has its watermark. */
  default void forgetting(SensorWindows sensor) {}

  /** Called after a sensor left the state. */
  default void purged(SensorWindows sensor) {}
}
