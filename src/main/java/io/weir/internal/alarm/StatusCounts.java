package io.weir.internal.alarm;

import java.util.Arrays;

/**
 * The numbers of a partition's sensors by state, and of active alarms. Not safe for several
 * threads.
 */
public final class StatusCounts {
  /** Number of priorities, from 0. */
  public static final int PRIORITIES = 10;

  private final int[] byState = new int[SensorState.values().length];
  private final int[] activeByPriority = new int[PRIORITIES];

  void added(KeptStatus status) {
    add(status, 1);
  }

  void removed(KeptStatus status) {
    add(status, -1);
  }

  private void add(KeptStatus status, int one) {
    byState[status.state().ordinal()] += one;
    for (Alarm alarm : status.alarms()) {
      activeByPriority[alarm.priority()] += alarm.isActive() ? one : 0;
    }
  }

  void transitioned(SensorState from, SensorState to) {
    byState[from.ordinal()]--;
    byState[to.ordinal()]++;
  }

  void transitioned(int priority, boolean active) {
    activeByPriority[priority] += active ? 1 : -1;
  }

  /** Sensors of all states. */
  int sensors() {
    return Arrays.stream(byState).sum();
  }

  /** Sensors in a state. */
  public int in(SensorState state) {
    return byState[state.ordinal()];
  }

  /** Active alarms of a priority from 0 on. */
  public int active(int priority) {
    return activeByPriority[priority];
  }

  void clear() {
    Arrays.fill(byState, 0);
    Arrays.fill(activeByPriority, 0);
  }
}
