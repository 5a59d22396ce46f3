package io.weir.window.aggregate;

/**
 * What is known of a window's values beside count, sum, min and max: the sets that were switched on
 * when the window began. Every field is a function of the readings alone. Not safe for several
 * threads.
 */
public final class Statistics {
  private final int sets;
  private long firstTimestampMs = Long.MAX_VALUE;
  private double first;
  private long lastTimestampMs = Long.MIN_VALUE;
  private double last;
  private ExactAccumulator squares;
  private ExponentialHistogram histogram;
  private long uncertainCount;

  /**
   * Of no reading yet.
   *
   * @param sets bits of {@link StatisticSet}, at least one
   */
  public Statistics(int sets) {
    this.sets = sets;
    if (has(StatisticSet.VARIANCE)) {
      squares = new ExactAccumulator();
    }
    if (has(StatisticSet.HISTOGRAM)) {
      histogram = new ExponentialHistogram();
    }
  }

  /** Whether a set is switched on. */
  public boolean has(StatisticSet set) {
    return set.isIn(sets);
  }

  /** Bits of the sets that are switched on. */
  public int sets() {
    return sets;
  }

  /**
   * Adds a reading that is not bad.
   *
   * @param value finite, and not -0.0
   */
  void add(long timestampMs, double value, boolean uncertain) {
    if (has(StatisticSet.FIRST_LAST)) {
      addFirst(timestampMs, value);
      addLast(timestampMs, value);
    }
    if (squares != null) {
      squares.addProduct(value, value);
    }
    if (histogram != null) {
      histogram.add(value);
    }
    if (uncertain) {
      uncertainCount++;
    }
  }

  /** Among equal times the smallest value is first. */
  private void addFirst(long timestampMs, double value) {
    if (timestampMs < firstTimestampMs || (timestampMs == firstTimestampMs && value < first)) {
      firstTimestampMs = timestampMs;
      first = value;
    }
  }

  /** Among equal times the largest value is last. */
  private void addLast(long timestampMs, double value) {
    if (timestampMs > lastTimestampMs || (timestampMs == lastTimestampMs && value > last)) {
      lastTimestampMs = timestampMs;
      last = value;
    }
  }

  /**
   * Adds all that another one of the same sets holds, which stays as it is.
   *
   * @throws IllegalArgumentException if its sets are others
   */
  void merge(Statistics other) {
    if (sets != other.sets) {
      throw new IllegalArgumentException("sets " + other.sets + " do not fit sets " + sets);
    }
    if (other.firstTimestampMs <= other.lastTimestampMs) {
      addFirst(other.firstTimestampMs, other.first);
      addLast(other.lastTimestampMs, other.last);
    }
    if (squares != null) {
      squares.merge(other.squares);
    }
    if (histogram != null) {
      histogram.merge(other.histogram);
    }
    uncertainCount = Math.addExact(uncertainCount, other.uncertainCount);
  }

  /** Event time of the first reading. */
  public long firstTimestampMs() {
    return firstTimestampMs;
  }

  /** Value of the first reading. */
  public double first() {
    return first;
  }

  /** Event time of the last reading. */
  public long lastTimestampMs() {
    return lastTimestampMs;
  }

  /** Value of the last reading. */
  public double last() {
    return last;
  }

  /** The exact sum of all squares; null without {@link StatisticSet#VARIANCE}. */
  public ExactAccumulator squares() {
    return squares;
  }

  /** Null without {@link StatisticSet#HISTOGRAM}. */
  public ExponentialHistogram histogram() {
    return histogram;
  }

  /** Readings of quality UNCERTAIN. */
  public long uncertainCount() {
    return uncertainCount;
  }

  /** Puts back the first and the last reading. */
  public void restoreFirstAndLast(
      long firstTimestamp, double firstValue, long lastTimestamp, double lastValue) {
    firstTimestampMs = firstTimestamp;
    first = firstValue;
    lastTimestampMs = lastTimestamp;
    last = lastValue;
  }

  /** Puts back the sum of squares. */
  public void restoreSquares(ExactAccumulator kept) {
    squares = kept;
  }

  /** Puts back the histogram. */
  public void restoreHistogram(ExponentialHistogram kept) {
    histogram = kept;
  }

  /** Puts back how many readings were uncertain. */
  public void restoreUncertainCount(long kept) {
    uncertainCount = kept;
  }
}
