package io.weir.edge;

/** A monotonic clock in nanoseconds, as {@link System#nanoTime}; tests have their own. */
@FunctionalInterface
interface Ticker {
  long nanoTime();
}
