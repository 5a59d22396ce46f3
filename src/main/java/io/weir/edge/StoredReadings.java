package io.weir.edge;

import io.weir.reading.Quality;

/**
 * The readings of earlier starts that a publisher with {@code keepIn} keeps on disk and passes to a
 * listener. It keeps segments whose batches are all acknowledged until newer segments have that
 * many bytes. The next start passes the readings of all segments to the listener, oldest first.
 *
 * @param acknowledgedBytes bytes of newer segments until an acknowledged one is deleted, from 0
 * @param listener receives the readings before the publisher accepts any
 */
public record StoredReadings(long acknowledgedBytes, Listener listener) {
  /** Nothing is kept or passed on. */
  static final StoredReadings NONE = new StoredReadings(0, null);

  public StoredReadings {
    SettingChecks.requireBetween("acknowledgedBytes", acknowledgedBytes, 0, Long.MAX_VALUE);
  }

  /** Receives stored readings. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A reading of an earlier start.
     *
     * @param nanosOfMs nanoseconds of its time below the millisecond
     */
    void stored(String sensorId, long timestampMs, int nanosOfMs, double value, Quality quality);
  }
}
