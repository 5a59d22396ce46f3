package io.weir.lab.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for other processes: looks again and again. */
final class Waiting {
  private static final long LOOK_NANOS = 20_000_000;

  private Waiting() {}

  /** Until it is so, or that time is over, or this thread is interrupted; whether it is so. */
  static boolean until(Duration atMost, BooleanSupplier condition) {
    long endNanos = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - endNanos >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }
}
