package io.weir.lab.oracle;

import java.util.ArrayList;
import java.util.List;

/**
 * What is the future of a partition: later than the record at hand, and later than the newest
 * append time so far. One that is more than an hour ahead of the newest does not become it until 60
 * s of records in a row are, none of which is before the first or more than an hour behind it. One
 * thread.
 */
final class NaiveNewest {
  private static final long HOUR_MS = 3_600_000;

  private final List<Long> farAhead = new ArrayList<>();
  private boolean begun;
  private long newestMs;

  /** Takes the append time of the next record; returns after when the future begins. */
  long record(long appendMs) {
    if (!begun || appendMs <= newestMs + HOUR_MS) {
      newestMs = begun ? Math.max(newestMs, appendMs) : appendMs;
      begun = true;
      farAhead.clear();
      return newestMs;
    }
    boolean apart =
        farAhead.stream()
            .limit(1)
            .anyMatch(first -> appendMs < first || appendMs > first + HOUR_MS);
    if (apart) {
      farAhead.clear();
    }
    farAhead.add(appendMs);
    if (appendMs - farAhead.get(0) >= 60_000) {
      newestMs = appendMs;
      farAhead.clear();
    }
    return appendMs;
  }

  /** The later of the newest time and the append time of the record to come. */
  long latest(long appendMs) {
    return begun ? Math.max(newestMs, appendMs) : appendMs;
  }
}
