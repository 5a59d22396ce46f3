package io.weir.window;

/**
 * What becomes of sensors that say nothing: their windows are emitted, then they are forgotten,
 * then their marks are purged; each at a deadline of its own. Not safe for several threads.
 */
final class Silence {
  private static final long NOT_WATCHED = Long.MAX_VALUE;

  private final WindowSpec spec;
  private final SensorTable sensors;
  private final WindowChanges changes;
  private final Deadlines idle;
  private final Deadlines forgetting;
  private final Deadlines marks;

  Silence(WindowSpec spec, SensorTable sensors, WindowChanges changes) {
    this.spec = spec;
    this.sensors = sensors;
    this.changes = changes;
    this.idle = new Deadlines(spec.idleTimeoutMs());
    this.forgetting = new Deadlines(spec.sensorTtlMs());
    this.marks = new Deadlines(WindowSpec.MARK_TTL_MS);
  }

  /**
   * A sensor spoke.
   *
   * @param wokeUp whether it was new, or forgotten
   */
  void heard(SensorWindows sensor, boolean wokeUp) {
    if (wokeUp) {
      forgetting.add(sensor, ttlDueMs(sensor));
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
   * Does what is due, a slice at a time.
   *
   * @param elapsedMs of the monotonic clock that {@code time} knows
   * @param slice how many sensors are looked at and windows emitted, at about the most
   * @return whether more may be waiting
   */
  boolean upkeep(PartitionTime time, long elapsedMs, int slice, WindowSink sink) {
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
    sensor.idleWatchMs(NOT_WATCHED);
    watchIdle(sensor);
    return emitted;
  }

  private int forgetSilent(PartitionTime time, int slice, WindowSink sink) {
    int left = slice;
    long appendMs = time.largestAppendMs();
    SensorWindows sensor;
    while (left > 0 && (sensor = forgetting.poll(appendMs)) != null) {
      left--;
      long dueMs = ttlDueMs(sensor);
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
      forgetting.add(sensor, ttlDueMs(sensor));
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
    return ttlDueMs(sensor) + WindowSpec.MARK_TTL_MS;
  }

  private long ttlDueMs(SensorWindows sensor) {
    return sensor.lastActiveMs() + spec.sensorTtlMs();
  }

  /** Watches all sensors anew. */
  void resume() {
    clear();
    sensors.forEach(
        sensor -> {
          sensor.idleWatchMs(NOT_WATCHED);
          if (sensor.isAwake()) {
            heard(sensor, true);
          } else {
            marks.add(sensor, markDueMs(sensor));
          }
        });
  }

  /** Watches nobody. */
  void clear() {
    idle.clear();
    forgetting.clear();
    marks.clear();
  }
}
