package io.weir.lab.bench;

import java.util.Map;

/**
 * What happens while a process is killed and started again, and when it is over. Thread-safe. Times
 * are of {@link System#nanoTime()}.
 */
final class CourseOfKill {
  /** So long after the last window one that is committed twice would have come. */
  private static final long QUIET_NANOS = 5_000_000_000L;

  /** So long a window that is due may take to come before it counts as missing. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  /** So long a process may take until its first window. */
  private static final long RESTART_NANOS = 180_000_000_000L;

  private final SubjectWindowCheck check;
  private long[] endsWhenKilled = {};
  private long killedAfter;
  private long takenAgain;
  private long startedNanos;
  private long firstNanos;
  private long lastNanos;

  CourseOfKill(SubjectWindowCheck check) {
    this.check = check;
  }

  synchronized boolean hasCommitted() {
    return lastNanos != 0;
  }

  /** A window can be read by a reader of committed ones. */
  synchronized void committed(int partition, long offset, long nanos) {
    lastNanos = nanos;
    // One that the killed process wrote may be committed by the next: no sign of its own work.
    if (startedNanos != 0 && firstNanos == 0 && offset >= endsWhenKilled[partition]) {
      firstNanos = nanos;
    }
  }

  /**
   * The process is dead.
   *
   * @param taken readings that it had said to have taken
   * @param ends of the windows' partitions, with what is not committed
   */
  synchronized void killed(long taken, long[] ends) {
    killedAfter = taken;
    endsWhenKilled = ends.clone();
  }

  synchronized void startedAgain(long nanos) {
    startedNanos = nanos;
    firstNanos = 0;
  }

  /** So many readings the second process has taken by now. */
  synchronized void takenAgain(long readings) {
    takenAgain = readings;
  }

  /** Whether everything that is to be expected was committed, or does not come any more. */
  synchronized boolean isOver(long nanos) {
    if (firstNanos == 0) {
      return nanos - startedNanos > RESTART_NANOS;
    }
    return nanos - lastNanos > (check.missing() == 0 ? QUIET_NANOS : PATIENCE_NANOS);
  }

  synchronized Figures figures(long readings) {
    Figures figures =
        Figures.of(
            Map.of(
                Figure.KILLED_AFTER_READINGS,
                (double) killedAfter,
                Figure.REPEATED_READINGS,
                (double) Math.max(0, killedAfter + takenAgain - readings)));
    return firstNanos == 0
        ? figures
        : figures.with(Figure.RESTART_SECONDS, (firstNanos - startedNanos) / 1e9);
  }
}
