package io.weir.window;

import io.weir.reading.Quality;
import io.weir.reading.ReadingColumns;
import io.weir.reading.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * The sensors of one partition and their windows: takes judged batches, emits windows, and knows
 * what of it changed since it was last written. One look-up a run of readings; a reading in its
 * sensor's current window costs a few additions. Not safe for several threads.
 */
public final class PartitionWindows {
  private final WindowSpec spec;
  private final SensorTable sensors = new SensorTable();
  private final Deadlines idle;
  private final Deadlines forgetting;
  private final Deadlines marks;

  private final List<SensorWindows> inBatch = new ArrayList<>();
  private final List<Amendment> amended = new ArrayList<>();
  private final SensorWindows.Amendments amendments =
      (sensor, window) -> amended.add(new Amendment(sensor, window));
  private final WindowChanges changes = new WindowChanges();

  private record Amendment(SensorWindows sensor, Window window) {}

  public PartitionWindows(WindowSpec spec) {
    this.spec = spec;
    this.idle = new Deadlines(spec.idleTimeoutMs());
    this.forgetting = new Deadlines(spec.sensorTtlMs());
    this.marks = new Deadlines(WindowSpec.MARK_TTL_MS);
  }

  /**
   * Aggregates what is believed, and finds what is late: such readings get {@link Verdict#LATE}.
   * Emits a window at most once.
   *
   * @return how many are late
   */
  public int apply(ReadingColumns batch, long appendTimeMs, WindowSink sink) {
    int late = 0;
    for (int run = 0; run < batch.runs(); run++) {
      late += applyRun(batch, run);
    }
    for (Amendment amendment : amended) {
      amendment.sensor().emit(amendment.window(), CloseReason.AMENDED, sink);
    }
    amended.clear();
    for (SensorWindows sensor : inBatch) {
      endBatch(sensor, appendTimeMs, sink);
    }
    inBatch.clear();
    return late;
  }

  private int applyRun(ReadingColumns batch, int run) {
    SensorWindows sensor = null;
    int late = 0;
    for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
      if (batch.verdict(i) != Verdict.BELIEVED) {
        continue;
      }
      if (sensor == null) {
        sensor =
            sensors.findOrAdd(
                batch.bytes(), batch.idOffset(run), batch.idLength(run), batch.idHash(run));
      }
      boolean first = !sensor.inBatch();
      boolean bad = batch.quality(i) == Quality.BAD.number();
      if (!sensor.take(spec, batch.timestampMs(i), batch.value(i), bad, amendments)) {
        batch.verdict(i, Verdict.LATE);
        late++;
      } else if (first) {
        inBatch.add(sensor);
      }
    }
    return late;
  }

  private void endBatch(SensorWindows sensor, long appendTimeMs, WindowSink sink) {
    boolean awake = sensor.isAwake();
    sensor.endBatch(spec, appendTimeMs, sink, window -> changes.letGo(sensor, window));
    changes.touched(sensor);
    if (!awake) {
      forgetting.add(sensor, sensor.lastActiveMs() + spec.sensorTtlMs());
    }
    watchIdle(sensor);
  }

  /** No window is due before a silence from now: one look by then is enough. */
  private void watchIdle(SensorWindows sensor) {
    if (sensor.idleWatchMs() <= sensor.lastActiveMs() + spec.idleTimeoutMs()) {
      return;
    }
    long dueMs = sensor.nextIdleMs(spec);
    if (dueMs < sensor.idleWatchMs()) {
      sensor.idleWatchMs(dueMs);
      idle.add(sensor, dueMs);
    }
  }

  /**
   * Emits windows of silent sensors and forgets those that were silent for long, a slice at a time.
   *
   * @param elapsedMs of the monotonic clock that {@code time} knows
   * @param slice how many sensors are looked at and windows emitted, at about the most
   * @return whether more may be waiting
   */
  public boolean upkeep(PartitionTime time, long elapsedMs, int slice, WindowSink sink) {
    long appendMs = time.largestAppendMs();
    if (appendMs == PartitionTime.NONE) {
      return false;
    }
    int left = emitIdle(time.nowMs(elapsedMs), slice, sink);
    left = forgetSilent(time, left, sink);
    return purgeMarks(appendMs, left) <= 0;
  }

  private int emitIdle(long partitionTimeMs, int slice, WindowSink sink) {
    int left = slice;
    SensorWindows sensor;
    while (left > 0 && (sensor = idle.poll(partitionTimeMs)) != null) {
      // An earlier deadline may have taken this one's place, and been kept.
      boolean replaced = sensor.idleWatchMs() > partitionTimeMs;
      left -= 1 + (replaced ? 0 : emitIdle(sensor, partitionTimeMs, left, sink));
    }
    return left;
  }

  private int emitIdle(SensorWindows sensor, long partitionTimeMs, int most, WindowSink sink) {
    int emitted = sensor.emitIdle(spec, partitionTimeMs, most, sink);
    if (emitted > 0) {
      changes.touched(sensor);
    }
    sensor.idleWatchMs(Long.MAX_VALUE);
    watchIdle(sensor);
    return emitted;
  }

  private int forgetSilent(PartitionTime time, int slice, WindowSink sink) {
    int left = slice;
    long appendMs = time.largestAppendMs();
    SensorWindows sensor;
    while (left > 0 && (sensor = forgetting.poll(appendMs)) != null) {
      left--;
      long dueMs = sensor.lastActiveMs() + spec.sensorTtlMs();
      if (appendMs < dueMs) {
        forgetting.add(sensor, dueMs);
      } else if (!time.tellsOfSensors()) {
        forgetting.add(sensor, time.silenceEndedMs() + spec.idleTimeoutMs());
      } else {
        left -= forget(sensor, left, sink);
      }
    }
    return left;
  }

  private int forget(SensorWindows sensor, int most, WindowSink sink) {
    int emitted = sensor.emitIdle(spec, Long.MAX_VALUE, most, sink);
    changes.touched(sensor);
    if (sensor.nextIdleMs(spec) != Long.MAX_VALUE) {
      forgetting.add(sensor, sensor.lastActiveMs() + spec.sensorTtlMs());
    } else {
      sensor.forget(spec, window -> changes.letGo(sensor, window));
      marks.add(sensor, markDueMs(sensor));
    }
    return emitted;
  }

  /** A mark that woke up in between is left alone: it gets another deadline when it sleeps. */
  private int purgeMarks(long appendMs, int slice) {
    int left = slice;
    SensorWindows sensor;
    while (left > 0 && (sensor = marks.poll(appendMs)) != null) {
      left--;
      boolean due = !sensor.isAwake() && markDueMs(sensor) <= appendMs;
      // One that slept twice stands here twice, and a new one of its id may have come meanwhile.
      if (due && sensors.remove(sensor)) {
        changes.purged(sensor);
      }
    }
    return left;
  }

  private long markDueMs(SensorWindows sensor) {
    return sensor.lastActiveMs() + spec.sensorTtlMs() + WindowSpec.MARK_TTL_MS;
  }

  /** The sensor of an id, made where there was none: for putting back what was kept. */
  public SensorWindows restored(byte[] bytes, int offset, int length, int hash) {
    return sensors.findOrAdd(bytes, offset, length, hash);
  }

  /** Takes out a sensor that was not kept after all. */
  public void dropRestored(byte[] bytes, int offset, int length, int hash) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensors.remove(sensor);
    }
  }

  /** Takes out a window that was not kept after all. */
  public void dropRestored(byte[] bytes, int offset, int length, int hash, long startMs) {
    SensorWindows sensor = sensors.find(bytes, offset, length, hash);
    if (sensor != null) {
      sensor.drop(startMs);
    }
  }

  /** Sets the deadlines anew, after all that was kept has been put back. */
  public void resume() {
    idle.clear();
    forgetting.clear();
    marks.clear();
    sensors.forEach(
        sensor -> {
          sensor.idleWatchMs(Long.MAX_VALUE);
          watchIdle(sensor);
          if (sensor.isAwake()) {
            forgetting.add(sensor, sensor.lastActiveMs() + spec.sensorTtlMs());
          } else {
            marks.add(sensor, markDueMs(sensor));
          }
        });
  }

  /** Forgets everything at once, written or not, a batch that broke off included. */
  public void clear() {
    inBatch.clear();
    amended.clear();
    sensors.clear();
    changes.clear();
    idle.clear();
    forgetting.clear();
    marks.clear();
  }

  /** What changed since it was last cleared. */
  public WindowChanges changes() {
    return changes;
  }

  /** Sensors in the state, marks of forgotten ones included. */
  public int sensors() {
    return sensors.size();
  }
}
