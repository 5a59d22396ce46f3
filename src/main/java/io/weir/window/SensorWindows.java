package io.weir.window;

import io.weir.reading.ReadingColumns;
import io.weir.window.durable.WindowChanges;

/**
 * One sensor: its own event time and the windows it keeps. Readings are taken one by one, held
 * against the time before the batch; the end of the batch moves the time. A sensor that was
 * forgotten leaves a mark: no windows, no time, only how far its windows were evicted.
 *
 * <p>Not safe for several threads.
 */
public final class SensorWindows extends RestorableSensor {
  /** The newest event time of the batch under way; NEVER outside of one. */
  private long batchLatestMs = NEVER;

  /** The sensor that was behind it in a batch the last time; null where none was seen. */
  SensorWindows follower;

  /** Whether the table no longer has it. */
  boolean removed;

  /** Receives closed windows that changed since they were emitted. */
  interface Amendments {
    void amended(SensorWindows sensor, Window window);
  }

  SensorWindows(byte[] id, int hash) {
    super(id, hash);
  }

  @Override
  SensorWindows self() {
    return this;
  }

  /**
   * Takes a reading, unless its window was evicted or is complete.
   *
   * @param quality its number on the wire
   * @param amendments receives a closed window that changed for the first time since its emission
   * @return whether it was taken; if not, it is late
   */
  boolean take(
      WindowSpec spec, long timestampMs, double value, int quality, Amendments amendments) {
    Window window = windowOf(spec, timestampMs);
    if (window == null) {
      return false;
    }
    if (window.closed() && !window.changedSinceEmit()) {
      amendments.amended(this, window);
    }
    window.take(timestampMs, value, quality);
    windowChanged(window.startMs());
    batchLatestMs = Math.max(batchLatestMs, timestampMs);
    return true;
  }

  /**
   * Takes those readings at the front of a stretch of a batch that are accepted, good, and in the
   * window of the last reading taken: for them nothing has to be looked up, and what they have in
   * common is done once. Takes none where readings have further statistics.
   *
   * @param from index of the first reading of the stretch
   * @param to index after its last one
   * @return index after the last one that was taken
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
      window.takeAll(batch.values(), from, next);
      windowChanged(startMs);
      batchLatestMs = latestMs;
    }
    return next;
  }

  private Window windowOf(WindowSpec spec, long timestampMs) {
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
      if (spec.hasWideSpans(id())) {
        spansOf(spec).opened(startMs, spec.closedThrough(watermarkMs));
      }
    }
    current = window;
    return window;
  }

  /** A window of it took a reading that was withheld before. */
  void tookWithheld(Window window, long timestampMs) {
    windowChanged(window.startMs());
    batchLatestMs = Math.max(batchLatestMs, timestampMs);
  }

  /**
   * Whether a reading would open a window that starts then: it was not evicted, its completeness
   * was not attested, and it is not kept.
   */
  boolean opens(WindowSpec spec, long startMs) {
    return startMs + spec.sizeMs() > Math.max(evictedThroughMs, attestedThroughMs)
        && find(startMs) == null;
  }

  /** Whether a late reading is one that was not to come any more, by what its gateway had said. */
  boolean breaksAttestation(WindowSpec spec, long timestampMs) {
    return spec.startOf(timestampMs) + spec.sizeMs() <= attestedThroughMs;
  }

  /** Whether the batch under way gave it a reading. */
  boolean inBatch() {
    return batchLatestMs != NEVER;
  }

  /** The newest event time that the batch under way gave it; Long.MIN_VALUE for none. */
  long batchLatestMs() {
    return batchLatestMs;
  }

  /**
   * All readings before a time were handed over: emits those open windows that end by then, for the
   * last time, and closes them. Neither a reading nor a sign of life.
   *
   * @return whether anything of it may have changed
   */
  boolean complete(WindowSpec spec, long throughMs, WindowSink sink) {
    boolean later = throughMs > attestedThroughMs;
    if (later) {
      attestedThroughMs = throughMs;
      WindowClosing.closeThrough(this, spec, throughMs, CloseReason.COMPLETE, sink);
      current = null;
    }
    if (spans != null) {
      // A span that held a window which could be amended may be complete by now.
      spans.completeThrough(spec, attestedThroughMs, sink);
    }
    return later || spans != null;
  }

  /**
   * Moves the sensor's time, closes what it has passed and evicts what is past amendment.
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

  /** What is withheld stays: its readings may be sent again. */
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

  /** A window was amended: the closed spans that hold it are to be emitted again. */
  void markAmended(Window window) {
    if (spans != null) {
      spans.markAmended(window.startMs());
    }
  }

  /** Emits the spans that were marked since the last call, each once. */
  void emitAmendedSpans(WindowSpec spec, WindowSink sink) {
    if (spans != null) {
      spans.emitAmended(spec, sink);
    }
  }

  /**
   * Evicts everything but spans that go on, and forgets the time: leaves a mark. No window may
   * await emission.
   */
  void forget(WindowSpec spec, WindowChanges<SensorWindows> changes) {
    evictThrough(spec, IdleEmission.lastEndMs(this, spec), changes);
    watermarkMs = NEVER;
    openFromMs = NONE;
  }

  /** Its spans are dropped too, and what was withheld: it is kept no longer. */
  void purge(WindowChanges<SensorWindows> changes) {
    while (oldestWindow() != null) {
      Window withheld = removeOldest();
      changes.evicted(this, withheld, withheld.startMs());
    }
    if (spans != null) {
      spans.dropAll(changes);
    }
  }

  /** Whether nothing was known of it before the batch under way. */
  boolean isNew() {
    return watermarkMs == NEVER && evictedThroughMs == NEVER;
  }

  @Override
  public boolean isRemoved() {
    return removed;
  }

  /** Whether it has a time of its own: a new one and the mark of a forgotten one have none. */
  public boolean isAwake() {
    return watermarkMs != NEVER;
  }
}
