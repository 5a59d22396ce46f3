package io.weir.internal.window;

import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.ReadingColumns;

/**
 * One sensor with its watermark and windows. Readings are added one by one and compared with the
 * watermark before the batch; the end of the batch advances it. An expired sensor leaves a mark,
 * which has only the time through which its windows were evicted.
 *
 * <p>Not thread-safe.
 */
public final class SensorWindows extends RestorableSensor {
  /** The newest event time of the current batch; NEVER outside of a batch. */
  private long batchLatestMs = NEVER;

  /** The sensor that followed it in its last batch; null for none. */
  SensorWindows follower;

  /** Whether it was removed from the table. */
  boolean removed;

  /** Receives closed windows that changed since their emission, and new ones. */
  interface Amendments {
    void amended(SensorWindows sensor, Window window);

    default void opened(SensorWindows sensor, Window window) {}
  }

  SensorWindows(byte[] id, int hash) {
    super(id, hash);
  }

  @Override
  SensorWindows self() {
    return this;
  }

  /**
   * Adds a reading, unless its window was evicted or is complete.
   *
   * @param quality its number on the wire
   * @param amendments receives a closed window that changed for the first time since its emission
   * @return whether it was added; if not, it is late
   */
  boolean take(
      WindowSpec spec, long timestampMs, double value, int quality, Amendments amendments) {
    Window window = windowOf(spec, timestampMs, amendments);
    if (window == null) {
      return false;
    }
    if (window.closed() && !window.changedSinceEmit()) {
      amendments.amended(this, window);
    }
    window.addReading(timestampMs, value, quality);
    windowChanged(window.startMs());
    batchLatestMs = Math.max(batchLatestMs, timestampMs);
    return true;
  }

  /**
   * Adds the leading readings of a range that are accepted, good and in the window of the last
   * added reading, without look-ups and as one operation. Adds none if the window has further
   * statistics.
   *
   * @param from index of the first reading
   * @param to index after the last reading
   * @return index after the last added one
   */
  int takeCurrent(WindowSpec spec, ReadingColumns batch, int from, int to, Amendments amendments) {
    Window window = current;
    if (window == null || window.statistics() != null) {
      return from;
    }
    long[] timestampsMs = batch.timestampsMs();
    long startMs = window.startMs();
    long latestMs = batchLatestMs;
    int next = from;
    for (; next < to && batch.isAcceptedAndGood(next); next++) {
      long into = timestampsMs[next] - startMs;
      if (into < 0 || into >= spec.sizeMs()) {
        break;
      }
      latestMs = Math.max(latestMs, timestampsMs[next]);
    }
    if (next > from) {
      if (window.closed() && !window.changedSinceEmit()) {
        amendments.amended(this, window);
      }
      window.addReadings(batch.values(), from, next);
      windowChanged(startMs);
      batchLatestMs = latestMs;
    }
    return next;
  }

  private Window windowOf(WindowSpec spec, long timestampMs, Amendments amendments) {
    if (current != null) {
      long into = timestampMs - current.startMs();
      if (into >= 0 && into < spec.sizeMs()) {
        return current;
      }
    }
    long startMs = spec.startOf(timestampMs);
    long endMs = startMs + spec.sizeMs();
    if (endMs <= evictedThroughMs) {
      return null;
    }
    Window window = find(startMs);
    if (window == null ? endMs <= attestedThroughMs : window.isComplete()) {
      return null;
    }
    if (window == null) {
      window = new Window(startMs, spec.statistics().newStatistics(id()));
      if (endMs <= spec.closedThrough(watermarkMs)) {
        window.close();
      } else {
        openFromMs = Math.min(openFromMs, startMs);
      }
      put(window);
      amendments.opened(this, window);
      if (spec.hasWideSpans(id())) {
        spansOf(spec).opened(startMs, spec.closedThrough(watermarkMs));
      }
    }
    current = window;
    return window;
  }

  /** A formerly withheld reading was added to one of its windows. */
  void tookWithheld(Window window, long timestampMs) {
    windowChanged(window.startMs());
    batchLatestMs = Math.max(batchLatestMs, timestampMs);
  }

  /**
   * Whether a reading would open a window with that start: the window is not kept, was not evicted
   * and is not attested to be complete.
   */
  boolean opens(WindowSpec spec, long startMs) {
    return startMs + spec.sizeMs() > Math.max(evictedThroughMs, attestedThroughMs)
        && find(startMs) == null;
  }

  /** Whether a late reading contradicts an attestation of its gateway. */
  boolean breaksAttestation(WindowSpec spec, long timestampMs) {
    return spec.startOf(timestampMs) + spec.sizeMs() <= attestedThroughMs;
  }

  /** Whether the current batch has a reading of it. */
  boolean inBatch() {
    return batchLatestMs != NEVER;
  }

  /** Its newest event time in the current batch; Long.MIN_VALUE for none. */
  long batchLatestMs() {
    return batchLatestMs;
  }

  /**
   * All readings before a time were sent: finally emits and closes the open windows that end by
   * then. Does not count as activity.
   *
   * @return whether it may have changed
   */
  boolean complete(WindowSpec spec, long throughMs, WindowSink sink) {
    boolean later = throughMs > attestedThroughMs;
    if (later) {
      attestedThroughMs = throughMs;
      WindowClosing.closeThrough(this, spec, throughMs, CloseReason.COMPLETE, sink);
      current = null;
    }
    if (spans != null) {
      // A span whose last amendable window was evicted may be complete now.
      spans.completeThrough(spec, attestedThroughMs, sink);
    }
    return later || spans != null;
  }

  /**
   * Advances the watermark, closes windows and evicts those beyond the allowed lateness.
   *
   * @param logMs log time of the batch
   */
  void endBatch(
      WindowSpec spec, long logMs, WindowSink sink, WindowChanges<SensorWindows> changes) {
    watermarkMs = Math.max(watermarkMs, batchLatestMs);
    batchLatestMs = NEVER;
    lastActiveMs = Math.max(lastActiveMs, logMs);
    if (spans != null) {
      spans.completeThrough(spec, attestedThroughMs, sink);
    }
    long closedThroughMs = spec.closedThrough(watermarkMs);
    WindowClosing.closeThrough(this, spec, closedThroughMs, CloseReason.EVENT_TIME, sink);
    if (spans != null) {
      spans.closeThrough(spec, closedThroughMs, sink);
    }
    evictThrough(spec, spec.evictedThrough(watermarkMs), changes);
  }

  private void evictThrough(WindowSpec spec, long throughMs, WindowChanges<SensorWindows> changes) {
    evictedThroughMs = Math.max(evictedThroughMs, throughMs);
    Window oldest = oldestWindow();
    while (oldest != null
        && !oldest.isWithheld()
        && oldest.startMs() + spec.sizeMs() <= evictedThroughMs) {
      removeOldest();
      changes.evicted(this, oldest, oldest.startMs());
      current = null;
      if (spans != null) {
        spans.evicted(oldest, evictedThroughMs);
      }
      oldest = oldestWindow();
    }
    if (oldest != null && oldest.isWithheld()) {
      evictBehindWithheld(spec, changes);
    }
    if (spans != null) {
      spans.evictThrough(evictedThroughMs, changes);
    }
  }

  /** Keeps withheld windows, whose readings may be redriven. */
  private void evictBehindWithheld(WindowSpec spec, WindowChanges<SensorWindows> changes) {
    int first = WithheldWindows.of(this);
    while (first < windows() && window(first).startMs() + spec.sizeMs() <= evictedThroughMs) {
      Window window = window(first);
      remove(window.startMs());
      changes.evicted(this, window, window.startMs());
      current = null;
      if (spans != null) {
        spans.evicted(window, evictedThroughMs);
      }
    }
  }

  /** Emits a window with its next revision. */
  void emit(Window window, CloseReason reason, WindowSink sink) {
    window.emitted();
    windowChanged(window.startMs());
    sink.emit(this, window, reason);
  }

  /** A window was amended: marks the closed spans that include it. */
  void markAmended(Window window) {
    if (spans != null) {
      spans.markAmended(window.startMs());
    }
  }

  /** Emits the spans marked since the last call, each once. */
  void emitAmendedSpans(WindowSpec spec, WindowSink sink) {
    if (spans != null) {
      spans.emitAmended(spec, sink);
    }
  }

  /**
   * Expires the sensor: evicts everything except spans that continue, resets the watermark, and
   * leaves a mark. No window may await emission.
   */
  void forget(WindowSpec spec, WindowChanges<SensorWindows> changes) {
    evictThrough(spec, IdleEmission.lastEndMs(this, spec), changes);
    watermarkMs = NEVER;
    openFromMs = NONE;
  }

  /** Also drops its spans and withheld windows: the sensor leaves the state. */
  void purge(WindowChanges<SensorWindows> changes) {
    while (oldestWindow() != null) {
      Window withheld = removeOldest();
      changes.evicted(this, withheld, withheld.startMs());
    }
    if (spans != null) {
      spans.dropAll(changes);
    }
  }

  /** Whether it is new in the current batch. */
  boolean isNew() {
    return watermarkMs == NEVER && evictedThroughMs == NEVER;
  }

  @Override
  public boolean isRemoved() {
    return removed;
  }

  /** Whether it has a watermark: a new sensor and a mark have none. */
  public boolean isAwake() {
    return watermarkMs != NEVER;
  }
}
