package io.weir.internal.topology;

/**
 * How soon ticks are asked for.
 *
 * @param quietMs after how long without a record one is asked for, where the state {@linkplain
 *     io.weir.internal.store.InputState#awaitsTime() awaits time}
 * @param lookEveryMs how often the clock is looked at: a tick for something that is due at a known
 *     time is asked for so much later, at the most
 */
public record TickTimes(long quietMs, long lookEveryMs) {
  /** For a state that has no {@linkplain io.weir.internal.store.InputState#dueMs() known times}. */
  public static TickTimes ofQuiet(long quietMs) {
    return new TickTimes(Math.max(1, quietMs), Math.min(1000, Math.max(10, quietMs / 4)));
  }
}
