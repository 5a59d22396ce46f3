package io.weir.window;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sensors by the time at which to look at them again, in steps that bound how many times there are.
 * A sensor whose deadline moves is left where it stands and put back when it is looked at: so a
 * reading costs nothing here. Never early, late by less than a step.
 */
final class Deadlines {
  private final long stepMs;
  private final TreeMap<Long, ArrayDeque<SensorWindows>> bySteps = new TreeMap<>();

  Deadlines(long spanMs) {
    this.stepMs = Math.min(1000, Math.max(1, spanMs / 256));
  }

  void add(SensorWindows sensor, long dueMs) {
    long step = -Math.floorDiv(-dueMs, stepMs);
    bySteps.computeIfAbsent(step, s -> new ArrayDeque<>(4)).add(sensor);
  }

  /** Takes out a sensor whose deadline has come, or gives null. */
  SensorWindows poll(long nowMs) {
    Map.Entry<Long, ArrayDeque<SensorWindows>> first = bySteps.firstEntry();
    if (first == null || first.getKey() > Math.floorDiv(nowMs, stepMs)) {
      return null;
    }
    SensorWindows sensor = first.getValue().poll();
    if (first.getValue().isEmpty()) {
      bySteps.pollFirstEntry();
    }
    return sensor;
  }

  void clear() {
    bySteps.clear();
  }
}
