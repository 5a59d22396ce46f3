package io.weir.internal.input;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The times of arrival of what has no time of its own: no two are the same. Thread-safe. */
public final class ArrivalClock {
  private final AtomicLong lastNanos = new AtomicLong();

  /** Nanoseconds since 1970. */
  public long nextNanos() {
    Instant now = Instant.now();
    long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
    return lastNanos.updateAndGet(last -> Math.max(nanos, last + 1));
  }
}
