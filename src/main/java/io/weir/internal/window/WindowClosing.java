package io.weir.internal.window;

/**
 * Closes the windows of a sensor: those that its watermark has passed by more than the grace period
 * ({@link WindowSpec#closedThrough}), or that its gateway attests to be complete. A window of an
 * idle sensor is emitted and remains open ({@link IdleEmission}).
 */
final class WindowClosing {
  private WindowClosing() {}

  /**
   * Closes the open windows that end at or before a time, oldest first, and emits those that
   * changed.
   */
  static void closeThrough(
      SensorWindows sensor, WindowSpec spec, long throughMs, CloseReason reason, WindowSink sink) {
    // Most batches close nothing, and visiting the windows would cost cache misses.
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

  /** An emitted, unchanged window is emitted again only to mark it as final. */
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
