package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.durable.WindowChanges;

/**
 * One sensor's longer spans of one size: when they close and are emitted. A reading costs nothing
 * here: a span has changed if its number of readings differs from that at its last emission. Not
 * thread-safe.
 */
abstract class WideSpans<T extends WideSpan> {
  static final long NONE = Long.MAX_VALUE;

  final SensorWindows sensor;

  final SpanList<T> kept = new SpanList<>();
  private final long sizeMs;

  /** No open span starts before this. */
  private long openFromMs = NONE;

  WideSpans(SensorWindows sensor, long sizeMs) {
    this.sensor = sensor;
    this.sizeMs = sizeMs;
  }

  /** Their length in milliseconds. */
  public final long sizeMs() {
    return sizeMs;
  }

  /** A window was opened: creates the spans that include it or end with it. */
  abstract void opened(long windowStartMs, long closedThroughMs);

  /**
   * A window was amended: marks the closed spans that include it and collects the newly marked
   * ones.
   */
  abstract void markAmended(long windowStartMs, AmendedSpans amended);

  /** A window was evicted. Windows are evicted in the order of time. */
  abstract void evicted(Window window, long throughMs);

  /**
   * Drops spans that end at or before a time and are no longer needed; their windows are evicted.
   */
  abstract void evictThrough(long throughMs, WindowChanges<SensorWindows> changes);

  /** Drops all. */
  abstract void dropAll(WindowChanges<SensorWindows> changes);

  /** Marks a span as changed. */
  abstract void changed(T span);

  /** Spans that start before this are incomplete. */
  abstract long knownFromMs();

  /** Number of readings in a span, including bad ones. */
  abstract long readings(T span);

  /** The values of a span. */
  abstract Aggregate values(T span);

  abstract void send(T span, Aggregate values, CloseReason reason, WindowSink sink);

  /** A span is omitted, or emitted without some statistics. */
  abstract void leftOut(boolean wholly, WindowSink sink);

  /** The end of the first open span, or an earlier time. */
  final long nextCloseMs() {
    return openFromMs == NONE ? NONE : openFromMs + sizeMs;
  }

  final void put(T span) {
    kept.put(span);
    if (!span.closed()) {
      openFromMs = Math.min(openFromMs, span.startMs());
    }
  }

  /** Reopens a closed span that ends after a time, because the grace period was increased. */
  final void reopenAfter(T span, long closedThroughMs) {
    if (span.closed() && span.endMs() > closedThroughMs) {
      span.reopen();
      changed(span);
      put(span);
    }
  }

  /**
   * All readings before a time were sent: finally emits and closes the open spans that end by then,
   * except those with a window that can still be amended.
   */
  final void completeThrough(WindowSpec spec, long throughMs, WindowSink sink) {
    int first = firstOpen();
    for (int i = first; i < kept.size() && kept.get(i).endMs() <= throughMs; i++) {
      T span = kept.get(i);
      if (!span.closed() && isComplete(span)) {
        span.close();
        emit(spec, span, CloseReason.COMPLETE, sink);
      }
    }
    findFirstOpen(first);
  }

  /** Whether every window in it was evicted or is complete. */
  private boolean isComplete(T span) {
    for (int i = sensor.indexFrom(span.startMs());
        i < sensor.windows() && sensor.window(i).startMs() < span.endMs();
        i++) {
      if (!sensor.window(i).isComplete()) {
        return false;
      }
    }
    return true;
  }

  /** Closes the spans that end at or before a time and emits those that changed. */
  final void closeThrough(WindowSpec spec, long throughMs, WindowSink sink) {
    int index = firstOpen();
    for (; index < kept.size() && kept.get(index).endMs() <= throughMs; index++) {
      T span = kept.get(index);
      if (!span.closed()) {
        span.close();
        changed(span);
        if (isChanged(span)) {
          emit(spec, span, CloseReason.EVENT_TIME, sink);
        }
      }
    }
    findFirstOpen(index);
  }

  private int firstOpen() {
    return kept.indexFrom(openFromMs);
  }

  final void findFirstOpen(int from) {
    openFromMs = NONE;
    for (int i = from; i < kept.size() && openFromMs == NONE; i++) {
      if (!kept.get(i).closed()) {
        openFromMs = kept.get(i).startMs();
      }
    }
  }

  /**
   * Emits the open spans that end at or before a time and changed since their last emission.
   *
   * @param most how many at the most
   * @return how many were emitted
   */
  final int emitIdle(WindowSpec spec, long endThroughMs, int most, WindowSink sink) {
    int emitted = 0;
    for (int i = firstOpen();
        i < kept.size() && emitted < most && kept.get(i).endMs() <= endThroughMs;
        i++) {
      T span = kept.get(i);
      if (!span.closed() && isChanged(span)) {
        emit(spec, span, CloseReason.IDLE, sink);
        emitted++;
      }
    }
    return emitted;
  }

  /** The end of the first open span that changed since its last emission; NONE for none. */
  final long nextAwaitedEndMs() {
    for (int i = firstOpen(); i < kept.size(); i++) {
      T span = kept.get(i);
      if (!span.closed() && isChanged(span)) {
        return span.endMs();
      }
    }
    return NONE;
  }

  private boolean isChanged(T span) {
    return readings(span) != span.emittedReadings();
  }

  final void emit(WindowSpec spec, T span, CloseReason reason, WindowSink sink) {
    changed(span);
    if (span.startMs() < knownFromMs()) {
      if (span.leaveOut(readings(span))) {
        leftOut(true, sink);
      }
      return;
    }
    Aggregate values = values(span);
    if (span.emissions() == 0 && lacksSets(spec, values)) {
      leftOut(false, sink);
    }
    span.emitted(values.count() + values.badCount());
    send(span, values, reason, sink);
  }

  private boolean lacksSets(WindowSpec spec, Aggregate values) {
    int sets = values.statistics() == null ? 0 : values.statistics().sets();
    return (spec.statistics().setsOf(sensor.id()) & ~sets) != 0;
  }

  /** Number of readings in the kept windows of a span, including bad ones. */
  final long readingsOfWindows(T span) {
    long readings = 0;
    for (int i = sensor.indexFrom(span.startMs());
        i < sensor.windows() && sensor.window(i).startMs() < span.endMs();
        i++) {
      readings += sensor.window(i).count() + sensor.window(i).badCount();
    }
    return readings;
  }

  /** Merges the kept windows of a span into earlier values. */
  final Aggregate joinWindows(Aggregate earlier, T span) {
    Aggregate joined = earlier;
    for (int i = sensor.indexFrom(span.startMs());
        i < sensor.windows() && sensor.window(i).startMs() < span.endMs();
        i++) {
      joined = WideSpan.joined(joined, sensor.window(i));
    }
    return joined;
  }
}
