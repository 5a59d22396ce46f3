package io.weir.internal.hot;

/**
 * Counts readings in the current and the previous minute. Not thread-safe; a count costs an
 * addition and a comparison.
 */
public abstract class CountedByMinute {
  private int minute = Integer.MIN_VALUE;

  /**
   * Sum of both minutes, at most {@link Integer#MAX_VALUE}: a task processes less than half of it a
   * minute.
   */
  private int readings;

  private int readingsBefore;

  /** Its id. */
  public abstract String name();

  /**
   * Counts readings.
   *
   * @param now the current minute; never decreases
   * @return whether they are its first of that minute
   */
  final boolean count(int now, long count) {
    boolean first = now != minute;
    if (first) {
      readingsBefore = (int) readingsIn(now - 1);
      readings = 0;
      minute = now;
    }
    readings = (int) Math.min(Integer.MAX_VALUE, readings + count);
    return first;
  }

  /**
   * Readings counted in a minute.
   *
   * @param asked the minute of the last count or the one before it, or any later one
   */
  final long readingsIn(int asked) {
    if (asked == minute) {
      return readings;
    }
    return asked == minute - 1 ? readingsBefore : 0;
  }
}
