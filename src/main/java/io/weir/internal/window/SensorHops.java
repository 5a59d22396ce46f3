package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.durable.UnwrittenSpans;
import io.weir.internal.window.durable.WindowChanges;

/**
 * The hopping windows of one sensor: each is kept with the window at its end. Evicted windows are
 * kept here until no later hopping window includes them. An emission merges at most {@value
 * HoppingPlan#MOST_WINDOWS} windows, in the order of time. Not thread-safe.
 */
public final class SensorHops extends WideSpans<Hop> {
  private final SensorSpans spans;
  private final long windowSizeMs;
  private final SpanList<EvictedWindow> evicted = new SpanList<>();
  private final UnwrittenSpans<EvictedWindow> unwritten = new UnwrittenSpans<>();

  SensorHops(SensorSpans spans, SensorWindows sensor, long windowSizeMs, long lengthMs) {
    super(sensor, lengthMs);
    this.spans = spans;
    this.windowSizeMs = windowSizeMs;
  }

  /** The start of the hopping window that ends with a window. */
  private long startMs(long windowStartMs) {
    return windowStartMs + windowSizeMs - sizeMs();
  }

  /** The hopping window that ends with a window, or null. */
  public Hop endingWith(Window window) {
    return kept.find(startMs(window.startMs()));
  }

  @Override
  void opened(long windowStartMs, long closedThroughMs) {
    for (int i = kept.indexFrom(startMs(windowStartMs)); holds(i, windowStartMs); i++) {
      reopenAfter(kept.get(i), closedThroughMs);
    }
    Hop hop = new Hop(startMs(windowStartMs), sizeMs());
    if (hop.endMs() <= closedThroughMs) {
      hop.close();
    }
    put(hop);
  }

  /** Whether the hopping window at an index exists and begins at or before a window. */
  private boolean holds(int index, long windowStartMs) {
    return index < kept.size() && kept.get(index).startMs() <= windowStartMs;
  }

  @Override
  void markAmended(long windowStartMs, AmendedSpans amended) {
    for (int i = kept.indexFrom(startMs(windowStartMs)); holds(i, windowStartMs); i++) {
      amended.mark(this, kept.get(i));
    }
  }

  /** Marks its window as changed, with which it is written, unless the window was evicted. */
  @Override
  void changed(Hop hop) {
    Window window = sensor.find(hop.endMs() - windowSizeMs);
    if (window != null) {
      window.changed();
      sensor.windowChanged(window.startMs());
    }
  }

  @Override
  long knownFromMs() {
    return spans.hopsKnownFromMs();
  }

  @Override
  long readings(Hop hop) {
    long readings = readingsOfWindows(hop);
    for (int i = evicted.indexFrom(hop.startMs());
        i < evicted.size() && evicted.get(i).startMs() < hop.endMs();
        i++) {
      readings += evicted.get(i).values().count() + evicted.get(i).values().badCount();
    }
    return readings;
  }

  @Override
  Aggregate values(Hop hop) {
    Aggregate values = null;
    for (int i = evicted.indexFrom(hop.startMs());
        i < evicted.size() && evicted.get(i).startMs() < hop.endMs();
        i++) {
      values = WideSpan.joined(values, evicted.get(i).values());
    }
    return joinWindows(values, hop);
  }

  @Override
  void send(Hop hop, Aggregate values, CloseReason reason, WindowSink sink) {
    sink.emit(sensor, hop, values, reason);
  }

  @Override
  void leftOut(boolean wholly, WindowSink sink) {
    sink.leftOut(wholly ? Omission.HOP : Omission.HOP_STATISTICS);
  }

  /** Drops the hopping window that ends with it; keeps the window for later ones. */
  @Override
  void evicted(Window window, long throughMs) {
    while (holdsOldest(startMs(window.startMs()))) {
      kept.removeOldest();
    }
    if (window.startMs() + sizeMs() > throughMs) {
      EvictedWindow values = new EvictedWindow(window);
      evicted.put(values);
      unwritten.add(values);
    }
  }

  private boolean holdsOldest(long startMs) {
    return kept.size() > 0 && kept.get(0).startMs() <= startMs;
  }

  @Override
  void evictThrough(long throughMs, WindowChanges<SensorWindows> changes) {
    while (evicted.size() > 0 && evicted.get(0).startMs() + sizeMs() <= throughMs) {
      dropOldest(changes);
    }
  }

  private void dropOldest(WindowChanges<SensorWindows> changes) {
    EvictedWindow window = evicted.removeOldest();
    window.drop();
    changes.droppedEvicted(sensor, window, window.startMs());
  }

  @Override
  void dropAll(WindowChanges<SensorWindows> changes) {
    while (evicted.size() > 0) {
      dropOldest(changes);
    }
  }

  /** Restores a hopping window. */
  void resume(Hop hop) {
    kept.put(hop);
  }

  /** Restores an evicted window. */
  void resume(EvictedWindow window) {
    evicted.put(window);
  }

  /** Removes a restored evicted window. */
  void dropEvicted(long startMs) {
    evicted.remove(startMs);
  }

  /** Removes the hopping window that ends with a window, because it was not stored. */
  void drop(long windowStartMs) {
    kept.remove(startMs(windowStartMs));
  }

  /** Resets all emission states and marks all windows as changed. */
  void dropEmissions() {
    for (int i = 0; i < sensor.windows(); i++) {
      sensor.window(i).changed();
      sensor.windowChanged(sensor.window(i).startMs());
    }
    while (kept.size() > 0) {
      kept.removeOldest();
    }
  }

  /** Completes the restore: creates a hopping window for each window. */
  void resume() {
    for (int i = kept.size() - 1; i >= 0; i--) {
      if (sensor.find(kept.get(i).endMs() - windowSizeMs) == null) {
        kept.remove(kept.get(i).startMs());
      }
    }
    for (int i = 0; i < sensor.windows(); i++) {
      long startMs = startMs(sensor.window(i).startMs());
      if (kept.find(startMs) == null) {
        kept.put(new Hop(startMs, sizeMs()));
      }
    }
    findFirstOpen(0);
  }

  /** The evicted windows to write. */
  public UnwrittenSpans<EvictedWindow> unwritten() {
    return unwritten;
  }
}
