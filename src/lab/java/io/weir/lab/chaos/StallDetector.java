package io.weir.lab.chaos;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Distinguishes a wait that makes progress from one that is stuck. One thread. */
final class StallDetector {
  private final long timeoutNanos;
  private final LongSupplier nanos;
  private String where = "";
  private long sinceNanos;

  /**
   * @param timeout for how long nothing need move
   * @param nanos a monotonic clock
   */
  StallDetector(Duration timeout, LongSupplier nanos) {
    this.timeoutNanos = timeout.toNanos();
    this.nanos = nanos;
    this.sinceNanos = nanos.getAsLong();
  }

  /**
   * Whether it has been the same for longer than the timeout.
   *
   * @param now how far it has come, in words
   */
  boolean lasts(String now) {
    if (!now.equals(where)) {
      where = now;
      sinceNanos = nanos.getAsLong();
    }
    return nanos.getAsLong() - sinceNanos >= timeoutNanos;
  }
}
