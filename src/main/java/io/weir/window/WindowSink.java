package io.weir.window;

/** Where windows go when they are emitted. */
@FunctionalInterface
public interface WindowSink {
  /** Takes a window as it stands; it goes on changing afterwards. */
  void emit(SensorWindows sensor, Window window, CloseReason reason);
}
