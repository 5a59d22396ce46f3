package io.weir.window;

import java.util.function.Predicate;

/**
 * One sensor: its own event time and the windows it keeps. Readings are taken one by one, held
 * against the time before the batch; the end of the batch moves the time. A sensor that was
 * forgotten leaves a mark: no windows, no time, only how far its windows were evicted.
 *
 * <p>Not safe for several threads.
 */
public final class SensorWindows extends Sensor {
  private static final long NEVER = Long.MIN_VALUE;
  private static final long NONE = Long.MAX_VALUE;

  private final SpanList<Window> windows = new SpanList<>();

  private long watermarkMs = NEVER;
  private long evictedThroughMs = NEVER;

  /** Its gateway said that all readings before this were handed over. */
  private long attestedThroughMs = NEVER;

  private long lastActiveMs;

  /** The newest event time of the batch under way; NEVER outside of one. */
  private long batchLatestMs = NEVER;

  /** The window of the last reading taken: most often that of the next. */
  private Window current;

  /** No open window starts before this. */
  private long openFromMs = NONE;

  /** Null where there are none. */
  private SensorRollups rollups;

  /** Of rollups that start before this not all readings are known. */
  private long knownFromMs = NEVER;

  /** Hears of closed windows that changed since they were emitted. */
  interface Amendments {
    void amended(SensorWindows sensor, Window window);
  }

  SensorWindows(byte[] id, int hash) {
    super(id, hash);
  }

  /**
   * Takes a reading, unless its window was evicted or is complete.
   *
   * @param quality its number on the wire
   * @param amendments hears of a closed window that changed for the first time since its emission
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
    unwritten(window.startMs());
    batchLatestMs = Math.max(batchLatestMs, timestampMs);
    return true;
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
    Window window = windows.find(startMs);
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
      windows.put(window);
      if (spec.rollups().isOn()) {
        rollupsOf(spec).opened(startMs, spec.closedThrough(watermarkMs));
      }
    }
    current = window;
    return window;
  }

  private SensorRollups rollupsOf(WindowSpec spec) {
    if (rollups == null) {
      rollups = new SensorRollups(spec.rollups(), this, windows);
    }
    return rollups;
  }

  /**
   * Whether a reading would open a window that starts then: it was not evicted, its completeness
   * was not attested, and it is not kept.
   */
  boolean opens(WindowSpec spec, long startMs) {
    return startMs + spec.sizeMs() > Math.max(evictedThroughMs, attestedThroughMs)
        && windows.find(startMs) == null;
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
      closeThrough(spec, throughMs, CloseReason.COMPLETE, sink);
      current = null;
    }
    if (rollups != null) {
      // One that held a window which could be amended may be complete by now.
      rollups.completeThrough(spec, attestedThroughMs, sink);
    }
    return later || rollups != null;
  }

  /**
   * Moves the sensor's time, closes what it has passed and evicts what is past amendment.
   *
   * @param logMs log time of the batch
   */
  void endBatch(WindowSpec spec, long logMs, WindowSink sink, WindowChanges changes) {
    watermarkMs = Math.max(watermarkMs, batchLatestMs);
    batchLatestMs = NEVER;
    lastActiveMs = Math.max(lastActiveMs, logMs);
    if (rollups != null) {
      rollups.completeThrough(spec, attestedThroughMs, sink);
    }
    closeThrough(spec, spec.closedThrough(watermarkMs), CloseReason.EVENT_TIME, sink);
    if (rollups != null) {
      rollups.closeThrough(spec, spec.closedThrough(watermarkMs), sink);
    }
    evictThrough(spec, spec.evictedThrough(watermarkMs), changes);
  }

  private void closeThrough(WindowSpec spec, long throughMs, CloseReason reason, WindowSink sink) {
    // Most batches close nothing, and looking at the windows would cost cache misses.
    if (openFromMs == NONE || openFromMs + spec.sizeMs() > throughMs) {
      return;
    }
    int index = windows.indexFrom(openFromMs);
    for (; index < windows.size(); index++) {
      Window window = windows.get(index);
      if (window.startMs() + spec.sizeMs() > throughMs) {
        break;
      }
      if (!window.closed()) {
        close(window, reason, sink);
      }
    }
    openFromMs = index < windows.size() ? windows.get(index).startMs() : NONE;
  }

  /** What was emitted already is not emitted again, unless it is to say that it is final. */
  private void close(Window window, CloseReason reason, WindowSink sink) {
    if (reason.isFinal()) {
      window.complete();
    } else {
      window.close();
    }
    unwritten(window.startMs());
    sink.closed(this, window);
    if (reason.isFinal() || window.changedSinceEmit()) {
      emit(window, reason, sink);
    }
  }

  private void evictThrough(WindowSpec spec, long throughMs, WindowChanges changes) {
    evictedThroughMs = Math.max(evictedThroughMs, throughMs);
    while (windows.size() > 0 && windows.get(0).startMs() + spec.sizeMs() <= evictedThroughMs) {
      Window oldest = windows.removeOldest();
      changes.evicted(this, oldest);
      current = null;
      if (rollups != null) {
        rollups.evicted(oldest);
      }
    }
    if (rollups != null) {
      rollups.evictThrough(evictedThroughMs, changes);
    }
  }

  /** Emits a window with its next revision. */
  void emit(Window window, CloseReason reason, WindowSink sink) {
    window.emitted();
    unwritten(window.startMs());
    sink.emit(this, window, reason);
  }

  /** A window was amended: the closed rollups that hold it are to be emitted again. */
  void markAmended(Window window) {
    if (rollups != null) {
      rollups.markAmended(window.startMs());
    }
  }

  /** Emits the rollups that were marked since the last call, each once. */
  void emitAmendedRollups(WindowSpec spec, WindowSink sink) {
    if (rollups != null) {
      rollups.emitAmended(spec, sink);
    }
  }

  /**
   * Emits open windows and rollups to which something was added since they were last emitted, and
   * that have ended by the rule.
   *
   * @param appendMs append time of the record at hand
   * @param most how many at the most
   * @return how many were emitted
   */
  int emitIdle(WindowSpec spec, long appendMs, int most, WindowSink sink) {
    long endThroughMs =
        switch (spec.idleRule()) {
          case ALL -> Long.MAX_VALUE;
          case ENDED -> spec.closedThrough(appendMs);
        };
    return emitIdleThrough(spec, endThroughMs, endThroughMs, most, sink);
  }

  /**
   * Emits what a sensor that is to be forgotten will not have any more: all windows, and rollups
   * that end with them.
   *
   * @param most how many at the most
   * @return how many were emitted
   */
  int emitLast(WindowSpec spec, int most, WindowSink sink) {
    return emitIdleThrough(spec, Long.MAX_VALUE, lastEndMs(spec), most, sink);
  }

  /** Emits all rollups to which something was added: those of a mark that is to be purged. */
  void emitRollups(WindowSpec spec, WindowSink sink) {
    if (rollups != null) {
      rollups.emitIdle(spec, Long.MAX_VALUE, Integer.MAX_VALUE, sink);
    }
  }

  private int emitIdleThrough(
      WindowSpec spec, long endThroughMs, long rollupEndThroughMs, int most, WindowSink sink) {
    int emitted = 0;
    for (int i = windows.indexFrom(openFromMs); i < windows.size() && emitted < most; i++) {
      Window window = windows.get(i);
      if (awaitsEmission(window) && window.startMs() + spec.sizeMs() <= endThroughMs) {
        emit(window, CloseReason.IDLE, sink);
        emitted++;
      }
    }
    return rollups == null || emitted == most
        ? emitted
        : emitted + rollups.emitIdle(spec, rollupEndThroughMs, most - emitted, sink);
  }

  /**
   * The append time from which on the first of its windows and rollups may be emitted as idle;
   * Long.MAX_VALUE where none awaits it.
   */
  long nextEndedMs(WindowSpec spec) {
    long endMs = nextAwaitedEndMs(spec);
    if (rollups != null) {
      endMs = Math.min(endMs, rollups.nextAwaitedEndMs());
    }
    return endMs == NONE ? NONE : endedFromMs(spec, endMs);
  }

  /** Whether something is left for {@link #emitLast}. */
  boolean awaitsLast(WindowSpec spec) {
    return nextAwaitedEndMs(spec) != NONE
        || (rollups != null && rollups.nextAwaitedEndMs() <= lastEndMs(spec));
  }

  /** The end of the first open window that changed since it was last emitted; NONE if none. */
  private long nextAwaitedEndMs(WindowSpec spec) {
    for (int i = windows.indexFrom(openFromMs); i < windows.size(); i++) {
      if (awaitsEmission(windows.get(i))) {
        return windows.get(i).startMs() + spec.sizeMs();
      }
    }
    return NONE;
  }

  private static boolean awaitsEmission(Window window) {
    return !window.closed() && window.changedSinceEmit();
  }

  private static long endedFromMs(WindowSpec spec, long endMs) {
    return switch (spec.idleRule()) {
      case ALL -> NEVER;
      // Never NONE, which says that nothing awaits emission.
      case ENDED -> Math.min(NONE - 1, WindowSpec.saturatedSum(endMs, spec.graceMs()));
    };
  }

  /** Up to when its windows are evicted when it is forgotten. */
  private long lastEndMs(WindowSpec spec) {
    long endMs = windows.size() > 0 ? windows.newest().startMs() + spec.sizeMs() : NEVER;
    return Math.max(endMs, evictedThroughMs);
  }

  /**
   * Evicts everything but rollups that go on, and forgets the time: leaves a mark. No window may
   * await emission.
   */
  void forget(WindowSpec spec, WindowChanges changes) {
    evictThrough(spec, lastEndMs(spec), changes);
    watermarkMs = NEVER;
    openFromMs = NONE;
  }

  /** Its rollups are dropped too: it is kept no longer. */
  void purge(WindowChanges changes) {
    if (rollups != null) {
      rollups.dropAll(changes);
    }
  }

  /** Whether nothing was known of it before the batch under way. */
  boolean isNew() {
    return watermarkMs == NEVER && evictedThroughMs == NEVER;
  }

  /** Whether it has a time of its own: a new one and the mark of a forgotten one have none. */
  public boolean isAwake() {
    return watermarkMs != NEVER;
  }

  /** Of rollups that start before this not all readings are known; Long.MIN_VALUE for none. */
  public long knownFromMs() {
    return knownFromMs;
  }

  /** Says from when on all readings are known. */
  public void knownFromMs(long timeMs) {
    knownFromMs = timeMs;
  }

  /** Its rollups; null where there are none. */
  public SensorRollups rollups() {
    return rollups;
  }

  /**
   * Begins with other rollups than before: old ones are dropped, as they hold what windows of other
   * spans no longer do. New ones are known from the first on of which no window was evicted; where
   * it is not known when a sensor's readings began, those from the end of its newest one on.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   */
  void beginRollups(WindowSpec spec, boolean sinceStart, WindowChanges changes) {
    purge(changes);
    rollups = null;
    if (!spec.rollups().isOn()) {
      return;
    }
    if (!sinceStart && knownFromMs == NEVER && watermarkMs != NEVER) {
      knownFromMs = spec.rollups().endOfLargest(watermarkMs);
    }
    if (evictedThroughMs != NEVER) {
      knownFromMs = Math.max(knownFromMs, spec.rollups().firstEndFrom(evictedThroughMs));
    }
    resumeRollups(spec);
  }

  /** Goes on with its rollups after all that was kept has been put back. */
  void resumeRollups(WindowSpec spec) {
    if (spec.rollups().isOn() && (rollups != null || windows.size() > 0)) {
      rollupsOf(spec).resume();
    }
  }

  /** Puts back a rollup that was kept, of a size that is switched on. */
  void resume(WindowSpec spec, Rollup rollup) {
    rollupsOf(spec).resume(spec.rollups().levelOf(rollup.sizeMs()), rollup);
  }

  /** Takes out a rollup that was not kept after all. */
  void dropRollup(WindowSpec spec, long sizeMs, long startMs) {
    if (rollups != null) {
      rollups.dropRestored(spec.rollups().levelOf(sizeMs), startMs);
    }
  }

  /** Goes on from what was kept; its windows follow. */
  public void resume(long watermark, long evictedThrough, long attestedThrough, long lastActive) {
    watermarkMs = watermark;
    evictedThroughMs = evictedThrough;
    attestedThroughMs = attestedThrough;
    lastActiveMs = lastActive;
  }

  /** Puts back a window that was kept, in place of the one of its start. */
  public void resume(Window window) {
    windows.put(window);
    current = null;
    if (!window.closed()) {
      openFromMs = Math.min(openFromMs, window.startMs());
    }
  }

  /** Takes out a window that was not kept after all. */
  void drop(long startMs) {
    windows.remove(startMs);
    current = null;
  }

  /** Takes out the windows that are so. */
  public void dropIf(Predicate<Window> so) {
    for (int i = windows.size() - 1; i >= 0; i--) {
      if (so.test(windows.get(i))) {
        windows.remove(windows.get(i).startMs());
      }
    }
    current = null;
  }

  /** The largest event time it reported; Long.MIN_VALUE where none is known. */
  public long watermarkMs() {
    return watermarkMs;
  }

  /** Windows that end at or before this were evicted; Long.MIN_VALUE where none were. */
  public long evictedThroughMs() {
    return evictedThroughMs;
  }

  /** Its gateway said that all readings before this were handed over; Long.MIN_VALUE for never. */
  public long attestedThroughMs() {
    return attestedThroughMs;
  }

  /** Log time of the last batch from which something of it was aggregated. */
  public long lastActiveMs() {
    return lastActiveMs;
  }

  /** The window that starts then, or null. */
  public Window find(long startMs) {
    return windows.find(startMs);
  }

  public int windows() {
    return windows.size();
  }

  /** Index of the first window that starts at or after that; their number where none does. */
  public int indexFrom(long startMs) {
    return windows.indexFrom(startMs);
  }

  public Window window(int index) {
    return windows.get(index);
  }
}
