package io.weir.internal.window;

import io.weir.internal.window.durable.UnwrittenSpans;
import io.weir.internal.window.durable.WindowChanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The longer spans of one sensor: rollups of each size, and hopping windows. Visits them only if
 * one may have work. Not thread-safe.
 */
public final class SensorSpans {
  private static final long NEVER = Long.MIN_VALUE;
  private static final WideSpans<?>[] NO_SERIES = {};

  private final SensorWindows sensor;

  /** Rollups, the smallest first, then hopping windows. */
  private WideSpans<?>[] series = NO_SERIES;

  private RollupLevel[] levels = {};

  /** Null if there are none. */
  private SensorHops hops;

  private final AmendedSpans amended = new AmendedSpans();
  private final UnwrittenSpans<Rollup> unwrittenRollups = new UnwrittenSpans<>();

  /** Rollups that start before this are incomplete. */
  private long knownFromMs = NEVER;

  /** Hopping windows that start before this are incomplete. */
  private long hopsKnownFromMs = NEVER;

  /** The length of the hopping windows in the durable form; 0 for none. */
  private long hopMs;

  /** Nothing closes before this. */
  private long nextCloseMs = WideSpans.NONE;

  /** Without sizes until {@link #resume}. */
  SensorSpans(SensorWindows sensor) {
    this.sensor = sensor;
  }

  /** The spans of a new sensor. */
  static SensorSpans ofNew(WindowSpec spec, SensorWindows sensor) {
    SensorSpans spans = new SensorSpans(sensor);
    spans.makeLevels(spec);
    spans.makeHops(spec);
    return spans;
  }

  private void makeLevels(WindowSpec spec) {
    if (levels.length == 0 && spec.rollups().isOn()) {
      levels = new RollupLevel[spec.rollups().levels()];
      RollupLevel smaller = null;
      for (int i = 0; i < levels.length; i++) {
        levels[i] = new RollupLevel(this, sensor, spec.rollups().sizeMs(i), smaller);
        smaller = levels[i];
      }
      listSeries();
    }
  }

  private void makeHops(WindowSpec spec) {
    long lengthMs = spec.hopping().lengthMs(sensor.id());
    if (hops == null && lengthMs > 0) {
      hops = new SensorHops(this, sensor, spec.sizeMs(), lengthMs);
      hopMs = lengthMs;
      listSeries();
    }
  }

  private void listSeries() {
    List<WideSpans<?>> all = new ArrayList<>(List.of(levels));
    if (hops != null) {
      all.add(hops);
    }
    series = all.toArray(NO_SERIES);
  }

  /** A window was opened. */
  void opened(long windowStartMs, long closedThroughMs) {
    for (WideSpans<?> each : series) {
      each.opened(windowStartMs, closedThroughMs);
      nextCloseMs = Math.min(nextCloseMs, each.nextCloseMs());
    }
  }

  /** A window was amended: marks the closed spans that include it. */
  void markAmended(long windowStartMs) {
    for (WideSpans<?> each : series) {
      each.markAmended(windowStartMs, amended);
    }
  }

  /** Emits the marked spans, each once. */
  void emitAmended(WindowSpec spec, WindowSink sink) {
    amended.emit(spec, sink);
  }

  /** Emits complete spans for the last time. */
  void completeThrough(WindowSpec spec, long throughMs, WindowSink sink) {
    if (nextCloseMs <= throughMs) {
      for (WideSpans<?> each : series) {
        each.completeThrough(spec, throughMs, sink);
      }
      findNextClose();
    }
  }

  /** Closes the spans that end at or before a time and emits those that changed. */
  void closeThrough(WindowSpec spec, long throughMs, WindowSink sink) {
    if (nextCloseMs <= throughMs) {
      for (WideSpans<?> each : series) {
        each.closeThrough(spec, throughMs, sink);
      }
      findNextClose();
    }
  }

  private void findNextClose() {
    nextCloseMs = WideSpans.NONE;
    for (WideSpans<?> each : series) {
      nextCloseMs = Math.min(nextCloseMs, each.nextCloseMs());
    }
  }

  /**
   * Emits the open spans that end at or before a time and changed since their last emission.
   *
   * @param most how many at the most
   * @return how many were emitted
   */
  int emitIdle(WindowSpec spec, long endThroughMs, int most, WindowSink sink) {
    int emitted = 0;
    for (WideSpans<?> each : series) {
      emitted += each.emitIdle(spec, endThroughMs, most - emitted, sink);
    }
    return emitted;
  }

  /**
   * The end of the first open span that changed since its last emission; Long.MAX_VALUE for none.
   */
  long nextAwaitedEndMs() {
    long endMs = WideSpans.NONE;
    for (WideSpans<?> each : series) {
      endMs = Math.min(endMs, each.nextAwaitedEndMs());
    }
    return endMs;
  }

  /** A window was evicted, with all that end at or before a time. */
  void evicted(Window window, long throughMs) {
    for (WideSpans<?> each : series) {
      each.evicted(window, throughMs);
    }
  }

  /** Drops the spans that are no longer needed, whose windows are evicted. */
  void evictThrough(long throughMs, WindowChanges<SensorWindows> changes) {
    for (WideSpans<?> each : series) {
      each.evictThrough(throughMs, changes);
    }
  }

  /**
   * Drops restored spans that ended at or before a time, as the state did before it was written: a
   * replica of the changelog that was away for longer than {@code delete.retention.ms} has them
   * again.
   */
  void dropEnded(long throughMs, WindowChanges<SensorWindows> changes) {
    for (RollupLevel level : levels) {
      level.dropEnded(throughMs, changes);
    }
    if (hops != null) {
      hops.evictThrough(throughMs, changes);
    }
  }

  /** Drops all. */
  void dropAll(WindowChanges<SensorWindows> changes) {
    for (WideSpans<?> each : series) {
      each.dropAll(changes);
    }
  }

  /** Of rollups that start before this not all readings are known; Long.MIN_VALUE for none. */
  public long knownFromMs() {
    return knownFromMs;
  }

  /** Sets the time from which rollups are complete. */
  void knownFromMs(long timeMs) {
    knownFromMs = timeMs;
  }

  /** Readings before a time were deleted before they were read. */
  void knownNotBefore(long timeMs) {
    knownFromMs = Math.max(knownFromMs, timeMs);
    if (hops != null) {
      hopsKnownFromMs = Math.max(hopsKnownFromMs, timeMs);
    }
  }

  /** Hopping windows that start before this are incomplete. */
  public long hopsKnownFromMs() {
    return hopsKnownFromMs;
  }

  /** The length of the hopping windows in milliseconds; 0 for none. */
  public long hopMs() {
    return hopMs;
  }

  /** The hopping windows; null if there are none. */
  public SensorHops hops() {
    return hops;
  }

  /**
   * The sensor is new and its earlier records may have been deleted: spans are complete from the
   * end of the largest span that includes a time.
   */
  void beginAt(WindowSpec spec, long timeMs) {
    if (levels.length > 0) {
      knownFromMs = spec.rollups().endOfLargest(timeMs);
    }
    if (hops != null) {
      hopsKnownFromMs = endOfLastHop(spec, timeMs);
    }
  }

  private long endOfLastHop(WindowSpec spec, long timeMs) {
    return WindowSpec.saturatedSum(spec.startOf(timeMs), hops.sizeMs());
  }

  /**
   * Begins with different rollups. They are complete from the first one without an evicted window;
   * if the beginning of a sensor's readings is unknown, from the end of its newest one. Complete
   * rollups of unchanged sizes continue; others are dropped.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   */
  void beginRollups(WindowSpec spec, boolean sinceStart, WindowChanges<SensorWindows> changes) {
    if (!spec.rollups().isOn()) {
      return;
    }
    if (!sinceStart && knownFromMs == NEVER && sensor.watermarkMs() != NEVER) {
      knownFromMs = spec.rollups().endOfLargest(sensor.watermarkMs());
    }
    if (sensor.evictedThroughMs() != NEVER) {
      knownFromMs = Math.max(knownFromMs, spec.rollups().firstEndFrom(sensor.evictedThroughMs()));
    }
    for (RollupLevel level : levels) {
      level.dropBefore(knownFromMs, changes);
    }
    resumeRollups(spec);
  }

  private void resumeRollups(WindowSpec spec) {
    makeLevels(spec);
    for (RollupLevel level : levels) {
      level.resume();
    }
    findNextClose();
  }

  /**
   * Completes the restore.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   * @return whether hopping windows differ from the restored ones, so that all must be written
   */
  boolean resume(WindowSpec spec, boolean sinceStart) {
    resumeRollups(spec);
    boolean others = spec.hopping().lengthMs(sensor.id()) != hopMs;
    if (others) {
      beginHops(spec, sinceStart);
    } else {
      makeHops(spec);
    }
    if (hops != null) {
      hops.resume();
    }
    findNextClose();
    return others;
  }

  /**
   * Begins with hopping windows of another length, or none. Those that consist of kept or evicted
   * windows in the state are complete.
   */
  private void beginHops(WindowSpec spec, boolean sinceStart) {
    long keptMs = Math.max(hopMs, spec.sizeMs());
    hopMs = spec.hopping().lengthMs(sensor.id());
    makeHops(spec);
    if (hopMs == 0) {
      hopsKnownFromMs = NEVER;
      return;
    }
    hops.dropEmissions();
    if (!sinceStart && hopsKnownFromMs == NEVER && sensor.watermarkMs() != NEVER) {
      hopsKnownFromMs = endOfLastHop(spec, sensor.watermarkMs());
    }
    if (sensor.evictedThroughMs() != NEVER) {
      long evictedBeforeMs = WindowSpec.saturatedDifference(sensor.evictedThroughMs(), keptMs);
      hopsKnownFromMs = Math.max(hopsKnownFromMs, evictedBeforeMs + 1);
    }
  }

  /** Restores the shared state of hopping windows. */
  void resumeHops(long lengthMs, long knownMs) {
    hopMs = lengthMs;
    hopsKnownFromMs = knownMs;
  }

  /** Restores a hopping window of the enabled length. */
  void resume(WindowSpec spec, Hop hop) {
    hopsOf(spec).resume(hop);
  }

  /** Restores an evicted window of a sensor with hopping windows. */
  void resume(WindowSpec spec, EvictedWindow window) {
    hopsOf(spec).resume(window);
  }

  private SensorHops hopsOf(WindowSpec spec) {
    long keptMs = hopMs;
    makeHops(spec);
    hopMs = keptMs;
    return hops;
  }

  /** Removes a restored evicted window. */
  void dropEvicted(long startMs) {
    if (hops != null) {
      hops.dropEvicted(startMs);
    }
  }

  /** The stored window has no hopping window that ends with it. */
  void dropHop(long windowStartMs) {
    if (hops != null) {
      hops.drop(windowStartMs);
    }
  }

  /** Restores a rollup of an enabled size. */
  void resume(WindowSpec spec, Rollup rollup) {
    makeLevels(spec);
    levels[spec.rollups().levelOf(rollup.sizeMs())].kept.put(rollup);
  }

  /** Removes a restored rollup. */
  void dropRollup(WindowSpec spec, long sizeMs, long startMs) {
    if (levels.length > 0) {
      levels[spec.rollups().levelOf(sizeMs)].kept.remove(startMs);
    }
  }

  /** The rollups to write. */
  public UnwrittenSpans<Rollup> unwrittenRollups() {
    return unwrittenRollups;
  }
}
