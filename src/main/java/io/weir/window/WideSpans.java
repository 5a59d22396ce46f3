package io.weir.window;

import io.weir.window.aggregate.Aggregate;
import io.weir.window.durable.WindowChanges;

/**
 * One sensor's spans of one size, longer than its windows: when they close and are emitted. A
 * reading does nothing here. The number of readings in a span shows whether it changed since it was
 * emitted. Not safe for several threads.
 */
abstract class WideSpans<T extends WideSpan> {
  static final long NONE = Long.MAX_VALUE;

  final SensorWindows sensor;

  final SpanList<T> kept = new SpanList<>();
  private final long sizeMs;

  /** No open one starts before this. */
  private long openFromMs = NONE;

  WideSpans(SensorWindows sensor, long sizeMs) {
    this.sensor = sensor;
    this.sizeMs = sizeMs;
  }

  /** Their length in milliseconds. */
  public final long sizeMs() {
    return sizeMs;
  }

  /** A window was made: the spans that hold it, or end with it, are there from now on. */
  abstract void opened(long windowStartMs, long closedThroughMs);

  /** A window was amended: marks the closed spans that hold it, and adds those that were not. */
  abstract void markAmended(long windowStartMs, AmendedSpans amended);

  /** A window was evicted. Windows are evicted in the order of time. */
  abstract void evicted(Window window, long throughMs);

  /** Drops what ends at or before a time and is needed no more; windows were evicted before. */
  abstract void evictThrough(long throughMs, WindowChanges<SensorWindows> changes);

  /** Drops all. */
  abstract void dropAll(WindowChanges<SensorWindows> changes);

  /** Something of a span changed that is to be written. */
  abstract void changed(T span);

  /** Of spans that start before this not all readings are known. */
  abstract long knownFromMs();

  /** Readings in a span, bad ones among them. */
  abstract long readings(T span);

  /** All that is in a span. */
  abstract Aggregate values(T span);

  abstract void send(T span, Aggregate values, CloseReason reason, WindowSink sink);

  /** A span is not emitted, or not with all statistics. */
  abstract void leftOut(boolean wholly, WindowSink sink);

  /** The end of the first open one, or a time before it: most batches close nothing. */
  final long nextCloseMs() {
    return openFromMs == NONE ? NONE : openFromMs + sizeMs;
  }

  final void put(T span) {
    kept.put(span);
    if (!span.closed()) {
      openFromMs = Math.min(openFromMs, span.startMs());
    }
  }

  /** Opens a closed one again that ends after a time: the grace became longer. */
  final void reopenAfter(T span, long closedThroughMs) {
    if (span.closed() && span.endMs() > closedThroughMs) {
      span.reopen();
      changed(span);
      put(span);
    }
  }

  /**
   * All readings before a time were handed over: emits those open ones that end by then, for the
   * last time, and closes them; but for those that hold a window that can still be amended.
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

  /** Closes what ends at or before a time, and emits what of it changed. */
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
   * Emits open ones that end at or before a time and changed since they were last emitted.
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

  /**
   * The end of the first open one that changed since it was last emitted; NONE if there is none.
   */
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

  /** Readings in the kept windows of a span, bad ones among them. */
  final long readingsOfWindows(T span) {
    long readings = 0;
    for (int i = sensor.indexFrom(span.startMs());
        i < sensor.windows() && sensor.window(i).startMs() < span.endMs();
        i++) {
      readings += sensor.window(i).count() + sensor.window(i).badCount();
    }
    return readings;
  }

  /** What was merged so far, which is earlier, and the kept windows of a span. */
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
