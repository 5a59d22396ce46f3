package io.weir.internal.topology;

/**
 * Appends ticks to the partitions of the readings. Called by many stream threads; must neither wait
 * nor throw: a tick that is lost is asked for again.
 */
@FunctionalInterface
public interface Ticks {
  /** For a topology that lets no time pass by itself. */
  Ticks NONE = partition -> {};

  /** Asks for a tick on a partition of the readings, soon. */
  void ask(int partition);
}
