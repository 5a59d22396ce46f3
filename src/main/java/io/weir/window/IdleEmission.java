package io.weir.window;

/**
 * Which windows and longer spans of a silent sensor are emitted as they are, and when: those that
 * are open, have ended, and have something that was not emitted. Stateless.
 */
final class IdleEmission {
  private static final long NONE = Long.MAX_VALUE;

  private IdleEmission() {}

  /**
   * Emits what has ended by the rule.
   *
   * @param appendMs append time of the record at hand
   * @param most how many at the most
   * @return how many were emitted
   */
  static int emitEnded(
      SensorWindows sensor, WindowSpec spec, long appendMs, int most, WindowSink sink) {
    long endThroughMs =
        switch (spec.idleRule()) {
          case ALL -> Long.MAX_VALUE;
          case ENDED -> spec.closedThrough(appendMs);
        };
    return emit(sensor, spec, endThroughMs, endThroughMs, most, sink);
  }

  /**
   * Emits what a sensor that is to be forgotten will not have any more: all windows, and longer
   * spans that end with them.
   *
   * @param most how many at the most
   * @return how many were emitted
   */
  static int emitLast(SensorWindows sensor, WindowSpec spec, int most, WindowSink sink) {
    return emit(sensor, spec, Long.MAX_VALUE, lastEndMs(sensor, spec), most, sink);
  }

  /** Emits all longer spans to which something was added: those of a mark that is to be purged. */
  static void emitSpans(SensorWindows sensor, WindowSpec spec, WindowSink sink) {
    if (sensor.spans != null) {
      sensor.spans.emitIdle(spec, Long.MAX_VALUE, Integer.MAX_VALUE, sink);
    }
  }

  private static int emit(
      SensorWindows sensor,
      WindowSpec spec,
      long endThroughMs,
      long spanEndThroughMs,
      int most,
      WindowSink sink) {
    int emitted = 0;
    for (int i = sensor.indexFrom(sensor.openFromMs); i < sensor.windows() && emitted < most; i++) {
      Window window = sensor.window(i);
      if (awaitsEmission(window) && window.startMs() + spec.sizeMs() <= endThroughMs) {
        sensor.emit(window, CloseReason.IDLE, sink);
        emitted++;
      }
    }
    return sensor.spans == null || emitted == most
        ? emitted
        : emitted + sensor.spans.emitIdle(spec, spanEndThroughMs, most - emitted, sink);
  }

  /**
   * The append time from which on the first window or longer span may be emitted as idle;
   * Long.MAX_VALUE where none awaits it.
   */
  static long nextEndedMs(SensorWindows sensor, WindowSpec spec) {
    long endMs = nextAwaitedEndMs(sensor, spec);
    if (sensor.spans != null) {
      endMs = Math.min(endMs, sensor.spans.nextAwaitedEndMs());
    }
    if (endMs == NONE) {
      return NONE;
    }
    return switch (spec.idleRule()) {
      case ALL -> Long.MIN_VALUE;
      // Never NONE, which says that nothing awaits emission.
      case ENDED -> Math.min(NONE - 1, WindowSpec.saturatedSum(endMs, spec.graceMs()));
    };
  }

  /** Whether something is left for {@link #emitLast}. */
  static boolean awaitsLast(SensorWindows sensor, WindowSpec spec) {
    return nextAwaitedEndMs(sensor, spec) != NONE
        || (sensor.spans != null && sensor.spans.nextAwaitedEndMs() <= lastEndMs(sensor, spec));
  }

  /** The end of the first open window that changed since it was last emitted; NONE if none. */
  private static long nextAwaitedEndMs(SensorWindows sensor, WindowSpec spec) {
    for (int i = sensor.indexFrom(sensor.openFromMs); i < sensor.windows(); i++) {
      if (awaitsEmission(sensor.window(i))) {
        return sensor.window(i).startMs() + spec.sizeMs();
      }
    }
    return NONE;
  }

  private static boolean awaitsEmission(Window window) {
    return !window.closed() && window.changedSinceEmit();
  }

  /** Up to when the windows of a sensor are evicted when it is forgotten. */
  static long lastEndMs(SensorWindows sensor, WindowSpec spec) {
    Window newest = sensor.newestWindow();
    long endMs = newest != null ? newest.startMs() + spec.sizeMs() : RestorableSensor.NEVER;
    return Math.max(endMs, sensor.evictedThroughMs);
  }
}
