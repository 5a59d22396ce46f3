package io.weir.window;

import io.weir.window.durable.UnwrittenSpans;
import io.weir.window.durable.WindowChanges;
import java.util.ArrayList;
import java.util.List;

/**
 * What is put together of one sensor's windows: rollups of each size, and hopping windows. Asks all
 * of them only where one may have something to do. Not safe for several threads.
 */
public final class SensorSpans {
  private static final long NEVER = Long.MIN_VALUE;
  private static final WideSpans<?>[] NO_SERIES = {};

  private final SensorWindows sensor;

  /** Rollups, the smallest first, then hopping windows. */
  private WideSpans<?>[] series = NO_SERIES;

  private RollupLevel[] levels = {};

  /** Null where there are none. */
  private SensorHops hops;

  private final AmendedSpans amended = new AmendedSpans();
  private final UnwrittenSpans<Rollup> unwrittenRollups = new UnwrittenSpans<>();

  /** Of rollups that start before this not all readings are known. */
  private long knownFromMs = NEVER;

  /** Of hopping windows that start before this not all readings are known. */
  private long hopsKnownFromMs = NEVER;

  /** The length of the hopping windows in the durable form; 0 for none. */
  private long hopMs;

  /** Nothing closes before this. */
  private long nextCloseMs = WideSpans.NONE;

  /** Of no size, before {@link #resume}. */
  SensorSpans(SensorWindows sensor) {
    this.sensor = sensor;
  }

  /** Those of a sensor of which nothing is kept. */
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

  /** A window was made. */
  void opened(long windowStartMs, long closedThroughMs) {
    for (WideSpans<?> each : series) {
      each.opened(windowStartMs, closedThroughMs);
      nextCloseMs = Math.min(nextCloseMs, each.nextCloseMs());
    }
  }

  /** A window was amended: the closed spans that hold it are to be emitted again. */
  void markAmended(long windowStartMs) {
    for (WideSpans<?> each : series) {
      each.markAmended(windowStartMs, amended);
    }
  }

  /** Emits those that were marked, once, however many windows in them were amended. */
  void emitAmended(WindowSpec spec, WindowSink sink) {
    amended.emit(spec, sink);
  }

  /** Emits for the last time what holds nothing but readings that were handed over. */
  void completeThrough(WindowSpec spec, long throughMs, WindowSink sink) {
    if (nextCloseMs <= throughMs) {
      for (WideSpans<?> each : series) {
        each.completeThrough(spec, throughMs, sink);
      }
      findNextClose();
    }
  }

  /** Closes what ends at or before a time, and emits what of it changed. */
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
   * Emits open ones that end at or before a time and changed since they were last emitted.
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
   * The end of the first open one that changed since it was last emitted; Long.MAX_VALUE if none.
   */
  long nextAwaitedEndMs() {
    long endMs = WideSpans.NONE;
    for (WideSpans<?> each : series) {
      endMs = Math.min(endMs, each.nextAwaitedEndMs());
    }
    return endMs;
  }

  /** A window is kept no longer, as are all that end at or before a time. */
  void evicted(Window window, long throughMs) {
    for (WideSpans<?> each : series) {
      each.evicted(window, throughMs);
    }
  }

  /** Drops what is needed no more; the windows in it were evicted before. */
  void evictThrough(long throughMs, WindowChanges<SensorWindows> changes) {
    for (WideSpans<?> each : series) {
      each.evictThrough(throughMs, changes);
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

  /** Says from when on all readings are known, as far as rollups are concerned. */
  void knownFromMs(long timeMs) {
    knownFromMs = timeMs;
  }

  /** Readings of before a time were deleted unread. */
  void knownNotBefore(long timeMs) {
    knownFromMs = Math.max(knownFromMs, timeMs);
    if (hops != null) {
      hopsKnownFromMs = Math.max(hopsKnownFromMs, timeMs);
    }
  }

  /** Of hopping windows that start before this not all readings are known. */
  public long hopsKnownFromMs() {
    return hopsKnownFromMs;
  }

  /** The length of the hopping windows in milliseconds; 0 for none. */
  public long hopMs() {
    return hopMs;
  }

  /** The hopping windows; null where there are none. */
  public SensorHops hops() {
    return hops;
  }

  /**
   * Nothing was known of the sensor, and what was on the topic before may be deleted: all is known
   * from the end of the largest span on that holds a time.
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
   * Begins with other rollups than before. They are known from the first on of which no window was
   * evicted; where it is not known when a sensor's readings began, those from the end of its newest
   * one on. Of sizes that stay, those that are known go on; others hold what windows of other spans
   * no longer do, and are dropped.
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
   * Goes on after all that was kept has been put back.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   * @return whether hopping windows are others than those that were kept, so that all is to be
   *     written
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
   * Begins with hopping windows of another length, or none. Known are those that hold nothing but
   * windows that are kept, evicted ones among them.
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

  /** Puts back what was kept of hopping windows beside themselves. */
  void resumeHops(long lengthMs, long knownMs) {
    hopMs = lengthMs;
    hopsKnownFromMs = knownMs;
  }

  /** Puts back a hopping window that was kept, of the length that is switched on. */
  void resume(WindowSpec spec, Hop hop) {
    hopsOf(spec).resume(hop);
  }

  /** Puts back an evicted window that was kept, of a sensor that has hopping windows. */
  void resume(WindowSpec spec, EvictedWindow window) {
    hopsOf(spec).resume(window);
  }

  private SensorHops hopsOf(WindowSpec spec) {
    long keptMs = hopMs;
    makeHops(spec);
    hopMs = keptMs;
    return hops;
  }

  /** Takes out an evicted window that was not kept after all. */
  void dropEvicted(long startMs) {
    if (hops != null) {
      hops.dropEvicted(startMs);
    }
  }

  /** What was kept of a window says nothing of the hopping window that ends with it. */
  void dropHop(long windowStartMs) {
    if (hops != null) {
      hops.drop(windowStartMs);
    }
  }

  /** Puts back a rollup that was kept, of a size that is switched on. */
  void resume(WindowSpec spec, Rollup rollup) {
    makeLevels(spec);
    levels[spec.rollups().levelOf(rollup.sizeMs())].kept.put(rollup);
  }

  /** Takes out a rollup that was not kept after all. */
  void dropRollup(WindowSpec spec, long sizeMs, long startMs) {
    if (levels.length > 0) {
      levels[spec.rollups().levelOf(sizeMs)].kept.remove(startMs);
    }
  }

  /** Rollups that are to be written. */
  public UnwrittenSpans<Rollup> unwrittenRollups() {
    return unwrittenRollups;
  }
}
