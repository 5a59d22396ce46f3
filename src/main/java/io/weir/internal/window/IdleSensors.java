package io.weir.internal.window;

import io.weir.internal.window.durable.WindowChanges;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * Handles idle sensors: emits their windows and rollups, then expires the sensors, then purges
 * their marks with the remaining rollups, each at a separate deadline. Inactivity is measured in
 * log time, the end of a window in append time. Not thread-safe.
 */
final class IdleSensors {
  private final WindowSpec spec;
  private final SensorTable sensors;
  private final SensorOwners owners;
  private final WindowChanges<SensorWindows> changes;

  /** Sensors that may be idle, by log time. */
  private final Deadlines idle;

  /** Idle sensors and marks with windows or rollups that have not ended, by append time. */
  private final EndWatch ending = new EndWatch();

  /** Idle sensors with windows that have ended, by id, so that slices are deterministic. */
  private final TreeSet<SensorWindows> ready =
      new TreeSet<>(Comparator.comparing(SensorWindows::id, Arrays::compareUnsigned));

  private final Deadlines forgetting;
  private final Deadlines marks;

  IdleSensors(
      WindowSpec spec,
      SensorTable sensors,
      SensorOwners owners,
      WindowChanges<SensorWindows> changes) {
    this.spec = spec;
    this.sensors = sensors;
    this.owners = owners;
    this.changes = changes;
    this.idle = new Deadlines(spec.idleTimeoutMs(), this::idleFromMs);
    this.forgetting = new Deadlines(spec.sensorTtlMs(), this::forgottenFromMs);
    this.marks = new Deadlines(spec.markTtlMs(), this::purgedFromMs);
  }

  private long idleFromMs(SensorWindows sensor) {
    return WindowSpec.saturatedSum(sensor.lastActiveMs(), spec.idleTimeoutMs());
  }

  private long forgottenFromMs(SensorWindows sensor) {
    return sensor.isAwake() ? silentForTtlMs(sensor) : Deadlines.NEVER;
  }

  private long purgedFromMs(SensorWindows sensor) {
    return sensor.isAwake()
        ? Deadlines.NEVER
        : WindowSpec.saturatedSum(silentForTtlMs(sensor), spec.markTtlMs());
  }

  private long silentForTtlMs(SensorWindows sensor) {
    return WindowSpec.saturatedSum(sensor.lastActiveMs(), spec.sensorTtlMs());
  }

  /**
   * Readings of a sensor were received.
   *
   * @param wokeUp whether it was new or expired
   */
  void received(SensorWindows sensor, boolean wokeUp) {
    if (wokeUp) {
      forgetting.add(sensor);
    }
    if (!sensor.idleWatched()) {
      sensor.idleWatched(true);
      idle.add(sensor);
    }
  }

  /**
   * Does due work, one slice per call.
   *
   * @param slice maximum number of emitted windows and expired sensors
   * @return whether more may be due
   */
  boolean upkeep(PartitionTime time, int slice, WindowSink sink) {
    findReady(time);
    int left = emitReady(time, slice, sink);
    left = forgetSilent(time.logMs(), left, sink);
    return purgeMarks(time.logMs(), left, sink) <= 0;
  }

  /** Finds idle sensors with ended windows that await emission. */
  private void findReady(PartitionTime time) {
    SensorWindows sensor;
    while ((sensor = idle.poll(time.logMs())) != null) {
      sensor.idleWatched(false);
      readyOrWatched(sensor, time);
    }
    while ((sensor = ending.poll(time.appendMs())) != null) {
      // A sensor that became active meanwhile is watched for idleness again.
      if (isIdle(sensor, time)) {
        readyOrWatched(sensor, time);
      }
    }
  }

  private void readyOrWatched(SensorWindows sensor, PartitionTime time) {
    if (IdleEmission.nextEndedMs(sensor, spec) <= time.appendMs()) {
      ready.add(sensor);
    } else {
      watchEnd(sensor);
    }
  }

  private boolean isIdle(SensorWindows sensor, PartitionTime time) {
    return idleFromMs(sensor) <= time.logMs();
  }

  private int emitReady(PartitionTime time, int slice, WindowSink sink) {
    int left = slice;
    while (left > 0 && !ready.isEmpty()) {
      SensorWindows sensor = ready.first();
      if (isIdle(sensor, time)) {
        int emitted = IdleEmission.emitEnded(sensor, spec, time.appendMs(), left, sink);
        if (emitted > 0) {
          changes.touched(sensor);
          left -= emitted;
        }
      }
      // The rest has not ended, or the slice is used up.
      if (left > 0 || IdleEmission.nextEndedMs(sensor, spec) > time.appendMs()) {
        ready.remove(sensor);
        watchEnd(sensor);
      }
    }
    return left;
  }

  private void watchEnd(SensorWindows sensor) {
    long endedMs = IdleEmission.nextEndedMs(sensor, spec);
    if (endedMs < sensor.endWatchMs()) {
      ending.watch(sensor, endedMs);
    }
  }

  private int forgetSilent(long logMs, int slice, WindowSink sink) {
    int left = slice;
    SensorWindows sensor;
    while (left > 0 && (sensor = forgetting.poll(logMs)) != null) {
      left--;
      left -= forget(sensor, left, sink);
    }
    return left;
  }

  private int forget(SensorWindows sensor, int most, WindowSink sink) {
    int emitted = IdleEmission.emitLast(sensor, spec, most, sink);
    changes.touched(sensor);
    if (IdleEmission.awaitsLast(sensor, spec)) {
      forgetting.add(sensor);
    } else {
      sink.forgetting(sensor);
      sensor.forget(spec, changes);
      marks.add(sensor);
      watchEnd(sensor);
    }
    return emitted;
  }

  private int purgeMarks(long logMs, int slice, WindowSink sink) {
    int left = slice;
    SensorWindows sensor;
    while (left > 0 && (sensor = marks.poll(logMs)) != null) {
      if (WithheldWindows.awaitsDecision(sensor)) {
        continue; // Kept until the operators accept the loss.
      }
      // A sensor may be queued twice, and a new one with the same id may exist.
      if (sensors.remove(sensor)) {
        left--;
        IdleEmission.emitSpans(sensor, spec, sink);
        sensor.purge(changes);
        ending.watch(sensor, Long.MAX_VALUE);
        owners.purged(sensor);
        changes.purged(sensor);
        sink.purged(sensor);
      }
    }
    return left;
  }

  /** The withheld windows of a sensor were emitted: its mark may be purged. */
  void released(SensorWindows sensor) {
    if (!sensor.isAwake()) {
      marks.add(sensor);
    }
  }

  /** Whether any sensor is watched. */
  boolean watches() {
    return !(idle.isEmpty()
        && ending.isEmpty()
        && ready.isEmpty()
        && forgetting.isEmpty()
        && marks.isEmpty());
  }

  /** Watches all sensors after a restore. */
  void resume() {
    clear();
    sensors.forEach(
        sensor -> {
          sensor.idleWatched(false);
          if (sensor.isAwake()) {
            received(sensor, true);
          } else {
            marks.add(sensor);
            watchEnd(sensor);
          }
        });
  }

  /** Number of sensors that wait for the end of a window or rollup. */
  int ending() {
    return ending.size();
  }

  /** Removes all sensors. */
  void clear() {
    idle.clear();
    ending.clear();
    ready.clear();
    forgetting.clear();
    marks.clear();
  }

  /**
   * Sensors by the append time from which they may have an idle emission, each with one time.
   * Unlike in {@link Deadlines}, that time may become earlier. A call costs O(log n). Not
   * thread-safe.
   */
  static final class EndWatch {
    private static final long NEVER = Long.MAX_VALUE;

    private final TreeSet<SensorWindows> byEnd =
        new TreeSet<>(
            Comparator.comparingLong((SensorWindows sensor) -> sensor.endWatchMs())
                .thenComparing(SensorWindows::id, Arrays::compareUnsigned));

    /**
     * Sets the time of a sensor.
     *
     * @param appendMs Long.MAX_VALUE for none
     */
    void watch(SensorWindows sensor, long appendMs) {
      if (sensor.endWatchMs() != NEVER) {
        byEnd.remove(sensor);
      }
      sensor.endWatchMs(appendMs);
      if (appendMs != NEVER) {
        byEnd.add(sensor);
      }
    }

    /** Removes and returns the first due sensor, or null. */
    SensorWindows poll(long appendMs) {
      if (byEnd.isEmpty() || byEnd.first().endWatchMs() > appendMs) {
        return null;
      }
      SensorWindows first = byEnd.pollFirst();
      first.endWatchMs(NEVER);
      return first;
    }

    int size() {
      return byEnd.size();
    }

    boolean isEmpty() {
      return byEnd.isEmpty();
    }

    /** Removes all sensors. */
    void clear() {
      byEnd.forEach(sensor -> sensor.endWatchMs(NEVER));
      byEnd.clear();
    }
  }
}
