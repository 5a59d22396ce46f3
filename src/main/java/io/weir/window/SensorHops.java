package io.weir.window;

import io.weir.window.aggregate.Aggregate;
import io.weir.window.durable.UnwrittenSpans;
import io.weir.window.durable.WindowChanges;

/**
 * The hopping windows of one sensor: each ends with a window that is kept, and is kept with it.
 * Windows that were evicted are here as they were, until no hopping window to come holds them. An
 * emission merges at most {@value HoppingPlan#MOST_WINDOWS} windows, in the order of time. Not safe
 * for several threads.
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

  /** The start of the one that ends with a window. */
  private long startMs(long windowStartMs) {
    return windowStartMs + windowSizeMs - sizeMs();
  }

  /** The one that ends with a window, or null. */
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

  /** Whether there is one at an index, and it begins at or before a window. */
  private boolean holds(int index, long windowStartMs) {
    return index < kept.size() && kept.get(index).startMs() <= windowStartMs;
  }

  @Override
  void markAmended(long windowStartMs, AmendedSpans amended) {
    for (int i = kept.indexFrom(startMs(windowStartMs)); holds(i, windowStartMs); i++) {
      amended.mark(this, kept.get(i));
    }
  }

  /** It is written with its window. */
  @Override
  void changed(Hop hop) {
    Window window = sensor.find(hop.endMs() - windowSizeMs);
    window.changed();
    sensor.windowChanged(window.startMs());
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
    sink.leftOut(wholly ? LeftOut.HOP : LeftOut.HOP_STATISTICS);
  }

  /** One that ends with it is kept no longer either; those to come may hold it. */
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

  /** Puts back one whose window was kept. */
  void resume(Hop hop) {
    kept.put(hop);
  }

  /** Puts back an evicted window that was kept. */
  void resume(EvictedWindow window) {
    evicted.put(window);
  }

  /** Takes out an evicted window that was not kept after all. */
  void dropEvicted(long startMs) {
    evicted.remove(startMs);
  }

  /** Takes out the one that ends with a window: what was kept says nothing of it. */
  void drop(long windowStartMs) {
    kept.remove(startMs(windowStartMs));
  }

  /** Begins as if none had been emitted, and has that written with all windows. */
  void dropEmissions() {
    for (int i = 0; i < sensor.windows(); i++) {
      sensor.window(i).changed();
      sensor.windowChanged(sensor.window(i).startMs());
    }
    while (kept.size() > 0) {
      kept.removeOldest();
    }
  }

  /** Goes on after all that was kept has been put back: there is one for each window. */
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

  /** Evicted windows that are to be written. */
  public UnwrittenSpans<EvictedWindow> unwritten() {
    return unwritten;
  }
}
