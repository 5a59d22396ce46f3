package io.weir.lab;

import java.time.Duration;

/**
 * When each fault happens: a cycle that repeats. Stateless.
 *
 * @param cycle how long one takes, positive
 */
public record FaultScript(Duration cycle) {
  public FaultScript {
    if (cycle.toMillis() < Fault.PARTS) {
      throw new IllegalArgumentException("cycle = " + cycle + ": too short");
    }
  }

  /** Whether a fault is on, that long after the fleet's start. */
  public boolean isOn(Fault fault, long elapsedMs) {
    long inCycle = elapsedMs % cycleMs();
    return inCycle >= fault.fromMs(cycleMs()) && inCycle < fault.untilMs(cycleMs());
  }

  /** Milliseconds until a fault ends, where it is on, or comes, where it is not. */
  public long untilChangeMs(Fault fault, long elapsedMs) {
    long inCycle = elapsedMs % cycleMs();
    if (inCycle < fault.fromMs(cycleMs())) {
      return fault.fromMs(cycleMs()) - inCycle;
    }
    return inCycle < fault.untilMs(cycleMs())
        ? fault.untilMs(cycleMs()) - inCycle
        : cycleMs() - inCycle + fault.fromMs(cycleMs());
  }

  private long cycleMs() {
    return cycle.toMillis();
  }
}
