package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.durable.WindowChanges;

/**
 * One sensor's rollups of one size. A rollup is created with its first window. An evicted window is
 * merged into the smallest rollup that includes it, an evicted rollup into the next larger one. The
 * values of a rollup are merged when it is emitted. Evictions and therefore merges are in the order
 * of time. Not thread-safe.
 */
final class RollupLevel extends WideSpans<Rollup> {
  private final SensorSpans spans;

  /** The next smaller size; null for the smallest. */
  private final RollupLevel smaller;

  /** The next larger size; null for the largest. */
  private RollupLevel larger;

  /**
   * @param smaller the next smaller size; null for the smallest
   */
  RollupLevel(SensorSpans spans, SensorWindows sensor, long sizeMs, RollupLevel smaller) {
    super(sensor, sizeMs);
    this.spans = spans;
    this.smaller = smaller;
    if (smaller != null) {
      smaller.larger = this;
    }
  }

  private Rollup holding(long timeMs) {
    long startMs = RollupPlan.startOf(timeMs, sizeMs());
    boolean newest = kept.size() > 0 && kept.newest().startMs() == startMs;
    return newest ? kept.newest() : kept.find(startMs);
  }

  private Rollup newHolding(long timeMs) {
    return new Rollup(RollupPlan.startOf(timeMs, sizeMs()), sizeMs());
  }

  @Override
  void opened(long windowStartMs, long closedThroughMs) {
    Rollup rollup = holding(windowStartMs);
    if (rollup != null) {
      reopenAfter(rollup, closedThroughMs);
      return;
    }
    rollup = newHolding(windowStartMs);
    if (rollup.endMs() <= closedThroughMs) {
      rollup.close();
    }
    put(rollup);
  }

  @Override
  void markAmended(long windowStartMs, AmendedSpans amended) {
    Rollup rollup = holding(windowStartMs);
    if (rollup != null) {
      amended.mark(this, rollup);
    }
  }

  @Override
  void changed(Rollup rollup) {
    spans.unwrittenRollups().add(rollup);
  }

  @Override
  long knownFromMs() {
    return spans.knownFromMs();
  }

  @Override
  long readings(Rollup rollup) {
    return readingsSettled(rollup) + readingsOfWindows(rollup);
  }

  private long readingsSettled(Rollup within) {
    long readings = smaller == null ? 0 : smaller.readingsSettled(within);
    for (int i = kept.indexFrom(within.startMs());
        i < kept.size() && kept.get(i).startMs() < within.endMs();
        i++) {
      Aggregate settled = kept.get(i).settled();
      readings += settled == null ? 0 : settled.count() + settled.badCount();
    }
    return readings;
  }

  /**
   * Settled values of larger rollups are older; kept windows are younger than all settled values.
   */
  @Override
  Aggregate values(Rollup rollup) {
    Aggregate settled = null;
    for (RollupLevel level = this; level != null; level = level.smaller) {
      settled = level.joinSettled(settled, rollup);
    }
    return joinWindows(settled, rollup);
  }

  private Aggregate joinSettled(Aggregate earlier, Rollup within) {
    Aggregate joined = earlier;
    for (int i = kept.indexFrom(within.startMs());
        i < kept.size() && kept.get(i).startMs() < within.endMs();
        i++) {
      if (kept.get(i).settled() != null) {
        joined = WideSpan.joined(joined, kept.get(i).settled());
      }
    }
    return joined;
  }

  @Override
  void send(Rollup rollup, Aggregate values, CloseReason reason, WindowSink sink) {
    sink.emit(sensor, rollup, values, reason);
  }

  @Override
  void leftOut(boolean wholly, WindowSink sink) {
    sink.leftOut(wholly ? Omission.ROLLUP : Omission.STATISTICS);
  }

  /** Merges the window into the smallest rollup that includes it. */
  @Override
  void evicted(Window window, long throughMs) {
    if (smaller == null) {
      settle(window.startMs(), window);
    }
  }

  private void settle(long startMs, Aggregate values) {
    Rollup rollup = holding(startMs);
    if (rollup != null) {
      rollup.settle(values);
      changed(rollup);
    }
  }

  @Override
  void evictThrough(long throughMs, WindowChanges<SensorWindows> changes) {
    while (kept.size() > 0 && kept.get(0).endMs() <= throughMs) {
      Rollup rollup = dropOldest(changes);
      if (larger != null && rollup.settled() != null) {
        larger.settle(rollup.startMs(), rollup.settled());
      }
    }
  }

  /** Drops the rollups that ended at or before a time; their values are elsewhere already. */
  void dropEnded(long throughMs, WindowChanges<SensorWindows> changes) {
    while (kept.size() > 0 && kept.get(0).endMs() <= throughMs) {
      dropOldest(changes);
    }
  }

  private Rollup dropOldest(WindowChanges<SensorWindows> changes) {
    Rollup rollup = kept.removeOldest();
    rollup.drop();
    changes.droppedRollup(sensor, rollup, rollup.sizeMs(), rollup.startMs());
    return rollup;
  }

  /** Drops the rollups that start before a time. */
  void dropBefore(long timeMs, WindowChanges<SensorWindows> changes) {
    while (kept.size() > 0 && kept.get(0).startMs() < timeMs) {
      dropOldest(changes);
    }
  }

  @Override
  void dropAll(WindowChanges<SensorWindows> changes) {
    while (kept.size() > 0) {
      dropOldest(changes);
    }
  }

  /**
   * Completes the restore: a rollup that was not written is rebuilt from its windows and smaller
   * rollups.
   */
  void resume() {
    for (int i = kept.size() - 1; i >= 0; i--) {
      if (!kept.get(i).stored()) {
        kept.remove(kept.get(i).startMs());
      }
    }
    int parts = smaller == null ? sensor.windows() : smaller.kept.size();
    for (int i = 0; i < parts; i++) {
      Span part = smaller == null ? sensor.window(i) : smaller.kept.get(i);
      if (holding(part.startMs()) == null) {
        kept.put(newHolding(part.startMs()));
      }
    }
    findFirstOpen(0);
  }
}
