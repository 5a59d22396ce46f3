package io.weir.internal.window;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * A queue of sensors by due time: returns them when they are due, never early, in the order of due
 * time and id, so that the order is deterministic.
 *
 * <p>A sensor whose due time moves later keeps its place and is moved when its old due time is
 * reached, so a reading costs nothing here. Sensors are grouped in time steps; only a step that has
 * begun is sorted. Not thread-safe.
 */
public final class Deadlines {
  /** Never due: the sensor is removed. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final Comparator<Due> IN_ORDER =
      Comparator.comparingLong(Due::dueMs)
          .thenComparing(due -> due.sensor().id(), Arrays::compareUnsigned);

  private final long stepMs;
  private final ToLongFunction<SensorWindows> dueMs;
  private final TreeMap<Long, ArrayDeque<SensorWindows>> bySteps = new TreeMap<>();
  private final PriorityQueue<Due> begun = new PriorityQueue<>(IN_ORDER);
  private long firstStep = NEVER;

  private record Due(long dueMs, SensorWindows sensor) {}

  /**
   * @param spanMs typical distance of due times; a step is a small part of it
   * @param dueMs the current due time of a sensor; {@link #NEVER} removes it
   */
  public Deadlines(long spanMs, ToLongFunction<SensorWindows> dueMs) {
    this.stepMs = Math.min(1000, Math.max(1, spanMs / 256));
    this.dueMs = dueMs;
  }

  /** Adds a sensor at the time at which it is due. */
  public void add(SensorWindows sensor) {
    place(sensor, dueMs.applyAsLong(sensor));
  }

  private void place(SensorWindows sensor, long due) {
    if (due == NEVER) {
      return;
    }
    long step = Math.floorDiv(due, stepMs);
    bySteps.computeIfAbsent(step, s -> new ArrayDeque<>(4)).add(sensor);
    firstStep = Math.min(firstStep, step);
  }

  /** Removes and returns the first due sensor, or null. */
  public SensorWindows poll(long nowMs) {
    long step = Math.floorDiv(nowMs, stepMs);
    while (!bySteps.isEmpty() && firstStep <= step) {
      begin(step);
    }
    Due first;
    while ((first = begun.peek()) != null && first.dueMs() <= nowMs) {
      begun.poll();
      long due = dueMs.applyAsLong(first.sensor());
      if (due == first.dueMs()) {
        return first.sensor();
      }
      replace(first.sensor(), due, step);
    }
    return null;
  }

  /** Inserts a sensor at its current due time. */
  private void replace(SensorWindows sensor, long due, long nowStep) {
    if (due != NEVER && Math.floorDiv(due, stepMs) <= nowStep) {
      begun.add(new Due(due, sensor));
    } else {
      place(sensor, due);
    }
  }

  /** Sorts the sensors of the first step; those with a later due time move to their step. */
  private void begin(long nowStep) {
    Map.Entry<Long, ArrayDeque<SensorWindows>> first = bySteps.pollFirstEntry();
    for (SensorWindows sensor : first.getValue()) {
      replace(sensor, dueMs.applyAsLong(sensor), nowStep);
    }
    firstStep = bySteps.isEmpty() ? NEVER : bySteps.firstKey();
  }

  /** Whether it is empty. */
  public boolean isEmpty() {
    return bySteps.isEmpty() && begun.isEmpty();
  }

  /** Drops all. */
  public void clear() {
    bySteps.clear();
    begun.clear();
    firstStep = NEVER;
  }
}
