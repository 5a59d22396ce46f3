package io.weir.window;

/**
 * Closes the windows of a sensor: those that its own time has passed by more than the grace ({@link
 * WindowSpec#closedThrough}), or that its gateway says are complete. A window of a silent sensor is
 * emitted and stays open ({@link IdleEmission}).
 */
final class WindowClosing {
  private WindowClosing() {}

  /** Closes the open windows that end by a time, the oldest first, and emits those that changed. */
  static void closeThrough(
      SensorWindows sensor, WindowSpec spec, long throughMs, CloseReason reason, WindowSink sink) {
    // Most batches close nothing, and looking at the windows would cost cache misses.
    if (sensor.openFromMs == RestorableSensor.NONE
        || sensor.openFromMs + spec.sizeMs() > throughMs) {
      return;
    }
    int index = sensor.indexFrom(sensor.openFromMs);
    for (; index < sensor.windows(); index++) {
      Window window = sensor.window(index);
      if (window.startMs() + spec.sizeMs() > throughMs) {
        break;
      }
      if (!window.closed()) {
        close(sensor, window, reason, sink);
      }
    }
    sensor.openFromMs =
        index < sensor.windows() ? sensor.window(index).startMs() : RestorableSensor.NONE;
  }

  /** What was emitted already is not emitted again, unless it is to say that it is final. */
  private static void close(
      SensorWindows sensor, Window window, CloseReason reason, WindowSink sink) {
    if (reason.isFinal()) {
      window.complete();
    } else {
      window.close();
    }
    sensor.windowChanged(window.startMs());
    sink.closed(sensor, window);
    if (reason.isFinal() || window.changedSinceEmit()) {
      sensor.emit(window, reason, sink);
    }
  }
}
