package io.weir.lab.oracle;

import java.util.TreeMap;

/** What a partition keeps of one sensor: its windows by their starts, and its times. One thread. */
final class NaiveSensor {
  final TreeMap<Long, Open> windows = new TreeMap<>();
  long watermarkMs = Long.MIN_VALUE;
  long lastActiveMs;
  long spreadUntilRecord;

  /** A window that is kept, closed or not. */
  static final class Open {
    final NaiveWindows.Key key;
    boolean closed;

    /** It was attested as complete while it was open: nothing is added or emitted any more. */
    boolean complete;

    boolean changedSinceEmit;

    /** Some of it was emitted. */
    boolean emitted;

    /** From when on an IDLE emission of its present content was allowed; -1 for not yet. */
    long allowedSince = -1;

    Open(NaiveWindows.Key key) {
      this.key = key;
    }
  }

  boolean awaitsEmission() {
    return windows.values().stream().anyMatch(window -> !window.closed && window.changedSinceEmit);
  }

  /** Whether it has a window between two times that was not attested as complete. */
  boolean mayBeAmended(long fromMs, long toMs) {
    return windows.subMap(fromMs, toMs).values().stream().anyMatch(window -> !window.complete);
  }
}
