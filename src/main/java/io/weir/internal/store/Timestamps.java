package io.weir.internal.store;

/**
 * Timestamps of records that Weir writes. Topics with LogAppendTime replace them; elsewhere brokers
 * refuse those that are an hour ahead of their clock.
 */
public final class Timestamps {
  private Timestamps() {}

  /**
   * A timestamp that a broker takes although the clock of another broker, or this process's, is
   * ahead.
   *
   * @param appendMs append time of the record at hand, by the clock of its leader
   * @param wallMs by the clock of this process
   */
  public static long bounded(long appendMs, long wallMs) {
    return Math.max(0, Math.min(appendMs, wallMs));
  }
}
