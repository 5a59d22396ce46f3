package io.weir.internal.window;

/**
 * Decides when windows and longer spans of an idle sensor are emitted without closing: those that
 * are open, have ended, and changed since their last emission. Stateless.
 */
final class IdleEmission {
  private static final long NONE = Long.MAX_VALUE;

  private IdleEmission() {}

  /**
   * Emits the windows and spans that have ended by the rule.
   *
   * @param appendMs append time of the current record
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
   * Emits what expires with a sensor: all windows, and longer spans that end with them.
   *
   * @param most how many at the most
   * @return how many were emitted
   */
  static int emitLast(SensorWindows sensor, WindowSpec spec, int most, WindowSink sink) {
    return emit(sensor, spec, Long.MAX_VALUE, lastEndMs(sensor, spec), most, sink);
  }

  /** Emits all changed longer spans of a mark before it is purged. */
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
   * The append time from which the first window or longer span may be emitted as idle;
   * Long.MAX_VALUE for none.
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
      // Never NONE, which means that no emission is pending.
      case ENDED -> Math.min(NONE - 1, WindowSpec.saturatedSum(endMs, spec.graceMs()));
    };
  }

  /** Whether {@link #emitLast} has more to emit. */
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

  /** The time through which a sensor's windows are evicted when it expires. */
  static long lastEndMs(SensorWindows sensor, WindowSpec spec) {
    Window newest = sensor.newestWindow();
    long endMs = newest != null ? newest.startMs() + spec.sizeMs() : RestorableSensor.NEVER;
    return Math.max(endMs, sensor.evictedThroughMs);
  }
}
