package io.weir.window;

import io.weir.window.aggregate.Aggregate;
import java.util.ArrayList;
import java.util.List;

/**
 * The rollups of one sensor, of all sizes. A reading does nothing here: a rollup is made with the
 * first window in it, a window is merged into it when it is evicted, and what it holds is put
 * together when it is emitted. Evictions go in the order of time, so everything is merged in it.
 *
 * <p>Not safe for several threads.
 */
public final class SensorRollups {
  private static final long NONE = Long.MAX_VALUE;

  private final SensorWindows sensor;
  private final SpanList<Window> windows;
  private final Level[] levels;
  private final List<Rollup> unwritten = new ArrayList<>(2);

  /** Closed ones that hold a window that the batch under way amended. */
  private final List<Amended> amended = new ArrayList<>(0);

  /** The end of the first one that is open: most batches close nothing. */
  private long nextCloseMs = NONE;

  private record Amended(int level, Rollup rollup) {}

  private static final class Level {
    final long sizeMs;
    final SpanList<Rollup> kept = new SpanList<>();

    /** No open one starts before this. */
    long openFromMs = NONE;

    Level(long sizeMs) {
      this.sizeMs = sizeMs;
    }

    Rollup holding(long timeMs) {
      long startMs = RollupPlan.startOf(timeMs, sizeMs);
      boolean newest = kept.size() > 0 && kept.newest().startMs() == startMs;
      return newest ? kept.newest() : kept.find(startMs);
    }

    /** Where the open ones begin. */
    int firstOpen() {
      return kept.indexFrom(openFromMs);
    }
  }

  /**
   * @param windows those that the sensor keeps
   */
  SensorRollups(RollupPlan plan, SensorWindows sensor, SpanList<Window> windows) {
    this.sensor = sensor;
    this.windows = windows;
    this.levels = new Level[plan.levels()];
    for (int i = 0; i < levels.length; i++) {
      levels[i] = new Level(plan.sizeMs(i));
    }
  }

  /** A window was made: the rollups that hold it are there from now on. */
  void opened(long windowStartMs, long closedThroughMs) {
    for (Level level : levels) {
      Rollup rollup = level.holding(windowStartMs);
      if (rollup == null) {
        rollup = new Rollup(RollupPlan.startOf(windowStartMs, level.sizeMs), level.sizeMs);
        if (rollup.endMs() <= closedThroughMs) {
          rollup.close();
        }
        put(level, rollup);
      } else if (rollup.closed() && rollup.endMs() > closedThroughMs) {
        rollup.reopen();
        toBeWritten(rollup);
        put(level, rollup);
      }
    }
  }

  private void put(Level level, Rollup rollup) {
    level.kept.put(rollup);
    if (!rollup.closed()) {
      level.openFromMs = Math.min(level.openFromMs, rollup.startMs());
      nextCloseMs = Math.min(nextCloseMs, rollup.endMs());
    }
  }

  /** A window was amended: of the rollups that hold it, those that are closed are marked. */
  void markAmended(long windowStartMs) {
    for (int i = 0; i < levels.length; i++) {
      Rollup rollup = levels[i].holding(windowStartMs);
      if (rollup != null && rollup.closed() && !rollup.markAmended()) {
        amended.add(new Amended(i, rollup));
      }
    }
  }

  /** Emits those that were marked, once, however many windows in them were amended. */
  void emitAmended(WindowSpec spec, WindowSink sink) {
    for (Amended each : amended) {
      each.rollup().unmarkAmended();
      emit(spec, each.level(), each.rollup(), CloseReason.AMENDED, sink);
    }
    amended.clear();
  }

  /**
   * All readings before a time were handed over: emits those open ones that end by then, for the
   * last time, and closes them; but for those that hold a window that can still be amended.
   */
  void completeThrough(WindowSpec spec, long throughMs, WindowSink sink) {
    if (nextCloseMs > throughMs) {
      return;
    }
    nextCloseMs = NONE;
    for (int i = 0; i < levels.length; i++) {
      Level level = levels[i];
      int first = level.firstOpen();
      for (int n = first; n < level.kept.size() && level.kept.get(n).endMs() <= throughMs; n++) {
        Rollup rollup = level.kept.get(n);
        if (!rollup.closed() && isComplete(rollup)) {
          rollup.close();
          emit(spec, i, rollup, CloseReason.COMPLETE, sink);
        }
      }
      findFirstOpen(level, first);
    }
  }

  /** Whether every window in it was evicted or is complete. */
  private boolean isComplete(Rollup rollup) {
    for (int n = windows.indexFrom(rollup.startMs());
        n < windows.size() && windows.get(n).startMs() < rollup.endMs();
        n++) {
      if (!windows.get(n).isComplete()) {
        return false;
      }
    }
    return true;
  }

  /** Closes what ends at or before a time, and emits what of it changed. */
  void closeThrough(WindowSpec spec, long throughMs, WindowSink sink) {
    if (nextCloseMs > throughMs) {
      return;
    }
    nextCloseMs = NONE;
    for (int i = 0; i < levels.length; i++) {
      Level level = levels[i];
      int index = level.firstOpen();
      for (; index < level.kept.size() && level.kept.get(index).endMs() <= throughMs; index++) {
        Rollup rollup = level.kept.get(index);
        if (!rollup.closed()) {
          rollup.close();
          toBeWritten(rollup);
          if (isChanged(i, rollup)) {
            emit(spec, i, rollup, CloseReason.EVENT_TIME, sink);
          }
        }
      }
      findFirstOpen(level, index);
    }
  }

  private void findFirstOpen(Level level, int from) {
    level.openFromMs = NONE;
    for (int i = from; i < level.kept.size(); i++) {
      if (!level.kept.get(i).closed()) {
        level.openFromMs = level.kept.get(i).startMs();
        nextCloseMs = Math.min(nextCloseMs, level.kept.get(i).endMs());
        return;
      }
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
    for (int i = 0; i < levels.length; i++) {
      Level level = levels[i];
      for (int n = level.firstOpen(); n < level.kept.size() && emitted < most; n++) {
        Rollup rollup = level.kept.get(n);
        if (rollup.endMs() > endThroughMs) {
          break;
        }
        if (!rollup.closed() && isChanged(i, rollup)) {
          emit(spec, i, rollup, CloseReason.IDLE, sink);
          emitted++;
        }
      }
    }
    return emitted;
  }

  /**
   * The end of the first open one that changed since it was last emitted; Long.MAX_VALUE if none.
   */
  long nextAwaitedEndMs() {
    long endMs = NONE;
    for (int i = 0; i < levels.length; i++) {
      Level level = levels[i];
      for (int n = level.firstOpen(); n < level.kept.size(); n++) {
        Rollup rollup = level.kept.get(n);
        if (!rollup.closed() && isChanged(i, rollup)) {
          endMs = Math.min(endMs, rollup.endMs());
          break;
        }
      }
    }
    return endMs;
  }

  private void emit(
      WindowSpec spec, int level, Rollup rollup, CloseReason reason, WindowSink sink) {
    toBeWritten(rollup);
    if (rollup.startMs() < sensor.knownFromMs()) {
      if (rollup.leaveOut(readings(level, rollup))) {
        sink.leftOut(LeftOut.ROLLUP);
      }
      return;
    }
    Aggregate values = values(level, rollup);
    if (rollup.emissions() == 0 && lacksSets(spec, values)) {
      sink.leftOut(LeftOut.STATISTICS);
    }
    rollup.emitted(values.count() + values.badCount());
    sink.emit(sensor, rollup, values, reason);
  }

  private boolean lacksSets(WindowSpec spec, Aggregate values) {
    int sets = values.statistics() == null ? 0 : values.statistics().sets();
    return (spec.statistics().setsOf(sensor.id()) & ~sets) != 0;
  }

  private boolean isChanged(int level, Rollup rollup) {
    return readings(level, rollup) != rollup.emittedReadings();
  }

  /** Readings in it, bad ones among them. */
  private long readings(int level, Rollup rollup) {
    long readings = 0;
    for (int i = level; i >= 0; i--) {
      SpanList<Rollup> kept = levels[i].kept;
      for (int n = kept.indexFrom(rollup.startMs());
          n < kept.size() && kept.get(n).startMs() < rollup.endMs();
          n++) {
        Aggregate settled = kept.get(n).settled();
        readings += settled == null ? 0 : settled.count() + settled.badCount();
      }
    }
    for (int n = windows.indexFrom(rollup.startMs());
        n < windows.size() && windows.get(n).startMs() < rollup.endMs();
        n++) {
      readings += windows.get(n).count() + windows.get(n).badCount();
    }
    return readings;
  }

  /**
   * All that is in it. The larger a rollup, the older is what is settled of it; windows that are
   * kept are younger than all that is settled.
   */
  private Aggregate values(int level, Rollup rollup) {
    Rollup values = new Rollup(rollup.startMs(), rollup.sizeMs());
    for (int i = level; i >= 0; i--) {
      SpanList<Rollup> kept = levels[i].kept;
      for (int n = kept.indexFrom(rollup.startMs());
          n < kept.size() && kept.get(n).startMs() < rollup.endMs();
          n++) {
        if (kept.get(n).settled() != null) {
          values.settle(kept.get(n).settled());
        }
      }
    }
    for (int n = windows.indexFrom(rollup.startMs());
        n < windows.size() && windows.get(n).startMs() < rollup.endMs();
        n++) {
      values.settle(windows.get(n));
    }
    return values.settled();
  }

  /** A window is kept no longer: it is settled. */
  void evicted(Window window) {
    Rollup rollup = levels[0].holding(window.startMs());
    if (rollup != null) {
      rollup.settle(window);
      toBeWritten(rollup);
    }
  }

  /** Evicts what ends at or before a time; the windows in it were evicted before. */
  void evictThrough(long throughMs, WindowChanges changes) {
    for (int i = 0; i < levels.length; i++) {
      SpanList<Rollup> kept = levels[i].kept;
      while (kept.size() > 0 && kept.get(0).endMs() <= throughMs) {
        Rollup rollup = kept.removeOldest();
        drop(rollup, changes);
        Rollup larger = i + 1 < levels.length ? levels[i + 1].holding(rollup.startMs()) : null;
        if (larger != null && rollup.settled() != null) {
          larger.settle(rollup.settled());
          toBeWritten(larger);
        }
      }
    }
  }

  private void drop(Rollup rollup, WindowChanges changes) {
    rollup.evict();
    changes.dropped(sensor, rollup);
  }

  /** Drops all. */
  void dropAll(WindowChanges changes) {
    for (Level level : levels) {
      while (level.kept.size() > 0) {
        drop(level.kept.removeOldest(), changes);
      }
    }
  }

  private void toBeWritten(Rollup rollup) {
    if (!rollup.markUnwritten()) {
      unwritten.add(rollup);
    }
  }

  /** Puts back one that was kept, in place of that of its start. */
  void resume(int level, Rollup rollup) {
    levels[level].kept.put(rollup);
  }

  /** Takes out one that was not kept after all. */
  void dropRestored(int level, long startMs) {
    levels[level].kept.remove(startMs);
  }

  /**
   * Goes on after all that was kept has been put back: a rollup that was not written has nothing
   * but what the windows and smaller rollups in it say.
   */
  void resume() {
    nextCloseMs = NONE;
    for (Level level : levels) {
      for (int i = level.kept.size() - 1; i >= 0; i--) {
        if (!level.kept.get(i).stored()) {
          level.kept.remove(level.kept.get(i).startMs());
        }
      }
      findFirstOpen(level, 0);
    }
    SpanList<? extends Span> parts = windows;
    for (Level level : levels) {
      for (int i = 0; i < parts.size(); i++) {
        long startMs = parts.get(i).startMs();
        if (level.holding(startMs) == null) {
          put(level, new Rollup(RollupPlan.startOf(startMs, level.sizeMs), level.sizeMs));
        }
      }
      parts = level.kept;
    }
  }

  /** Those that changed since they were last written and are still kept. */
  public List<Rollup> unwritten() {
    return unwritten.stream().filter(rollup -> !rollup.evicted()).toList();
  }

  /** Says that all were written. */
  public void written() {
    unwritten.forEach(Rollup::written);
    unwritten.clear();
  }

  /** How many are kept. */
  int size() {
    int size = 0;
    for (Level level : levels) {
      size += level.kept.size();
    }
    return size;
  }
}
