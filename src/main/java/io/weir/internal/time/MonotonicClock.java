package io.weir.internal.time;

/** The clock of the process that never goes back. Its times mean nothing to another process. */
public final class MonotonicClock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private MonotonicClock() {}

  /** Milliseconds since some moment in the past or future; any thread may ask. */
  public static long millis() {
    return System.nanoTime() / NANOS_PER_MILLI;
  }
}
