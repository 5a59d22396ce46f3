package io.weir.window;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Sensors by the time at which something is due, given out when it is: never early, and in the
 * order of due time and id, so that the order is a function of the sensors alone.
 *
 * <p>A sensor whose due time moves on is left where it is, and put in its new place when its old
 * one comes up: so a reading costs nothing here. Sensors are in steps of time; only those of a step
 * that has begun are sorted. Not safe for several threads.
 */
public final class Deadlines {
  /** Nothing is due any more: the sensor is dropped. */
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
   * @param spanMs how far ahead sensors are due, about: a step is a small part of it
   * @param dueMs when a sensor is due as things are; {@link #NEVER} drops it
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

  /** Takes out the first sensor that is due, or gives null. */
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

  /** Puts a sensor where it now belongs. */
  private void replace(SensorWindows sensor, long due, long nowStep) {
    if (due != NEVER && Math.floorDiv(due, stepMs) <= nowStep) {
      begun.add(new Due(due, sensor));
    } else {
      place(sensor, due);
    }
  }

  /** Sorts the sensors of the first step; those that moved on go to a step of their own. */
  private void begin(long nowStep) {
    Map.Entry<Long, ArrayDeque<SensorWindows>> first = bySteps.pollFirstEntry();
    for (SensorWindows sensor : first.getValue()) {
      replace(sensor, dueMs.applyAsLong(sensor), nowStep);
    }
    firstStep = bySteps.isEmpty() ? NEVER : bySteps.firstKey();
  }

  /** Whether no sensor is due ever. */
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
