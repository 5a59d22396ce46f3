package io.weir.internal.window.aggregate;

/**
 * The statistics of a window's values besides count, sum, min and max: the sets that were enabled
 * when the window began. Every field is a function of the readings.
 *
 * <p>Integral and counter depend on the order of readings. For them a window stores its readings as
 * {@link Samples}, and accepts readings in any order. Longer windows are merged from windows
 * without samples, see {@link #ofSpans}; they have only {@link SampleSums}.
 *
 * <p>Not safe for several threads.
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

  /** Null if no set needs samples, or if only sums are stored. */
  private Samples samples;

  /** Null if samples are stored, or if there were too many of them. */
  private SampleSums sums;

  /**
   * Empty statistics. * @param sets bits of {@link StatisticSet}, at least one; implied sets are
   * added
   *
   * @param mostSamples maximum number of samples, if a set needs them; above it, its fields are
   *     unknown
   */
  public Statistics(int sets, int mostSamples) {
    this(sets);
    if (needsSamples()) {
      samples = new Samples(mostSamples);
    }
  }

  private Statistics(int someSets) {
    sets = StatisticSet.withImplied(someSets);
    if (has(StatisticSet.VARIANCE)) {
      squares = new ExactAccumulator();
    }
    if (has(StatisticSet.HISTOGRAM)) {
      histogram = new ExponentialHistogram();
    }
  }

  /**
   * Empty statistics without samples, to which only windows, or merged windows, are added by
   * merging.
   *
   * @param sets sets of the windows
   */
  public static Statistics ofSpans(int sets) {
    Statistics statistics = new Statistics(sets);
    if (statistics.needsSamples()) {
      statistics.sums = new SampleSums();
    }
    return statistics;
  }

  private boolean needsSamples() {
    return StatisticSet.needSamples(sets);
  }

  /** Whether a set is enabled. */
  public boolean has(StatisticSet set) {
    return set.isIn(sets);
  }

  /** Bits of the enabled sets. */
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
    if (samples != null) {
      samples.add(timestampMs, value);
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

  /** The subset of these sets in the form of {@link #ofSpans}; null if it is empty. */
  Statistics only(int among) {
    int both = sets & among;
    if (both == sets) {
      return this;
    }
    if (both == 0) {
      return null;
    }
    Statistics fewer = ofSpans(both);
    fewer.merge(this);
    return fewer;
  }

  /**
   * Checks that another object can be added: it has at least the same sets, and if samples are
   * needed and not stored in both, all its readings are earlier than those here, or all later.
   *
   * @throws IllegalArgumentException if it cannot
   */
  void requireMergeable(Statistics other) {
    if ((sets & ~other.sets) != 0) {
      throw new IllegalArgumentException("sets " + other.sets + " do not include sets " + sets);
    }
    boolean joined = needsSamples() && (samples == null || other.samples == null);
    if (joined
        && hasReadings()
        && other.hasReadings()
        && !(endsBefore(other) || other.endsBefore(this))) {
      throw new IllegalArgumentException(
          "readings from %d to %d are neither before nor after those from %d to %d"
              .formatted(
                  other.firstTimestampMs,
                  other.lastTimestampMs,
                  firstTimestampMs,
                  lastTimestampMs));
    }
  }

  /** Whether no reading here is later than one of another; of equal times, none is larger. */
  private boolean endsBefore(Statistics other) {
    return lastTimestampMs < other.firstTimestampMs
        || (lastTimestampMs == other.firstTimestampMs && last <= other.first);
  }

  /**
   * Adds another object, which is not changed; ignores its additional sets.
   *
   * @param other one that {@link #requireMergeable} accepts
   */
  void merge(Statistics other) {
    if (needsSamples() && other.hasReadings()) {
      mergeSamples(other);
    }
    if (has(StatisticSet.FIRST_LAST) && other.hasReadings()) {
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

  /** Derived from the first and the last reading, which are always present where it is used. */
  private boolean hasReadings() {
    return firstTimestampMs <= lastTimestampMs;
  }

  private void mergeSamples(Statistics other) {
    if (samples != null && other.samples != null) {
      samples.addAll(other.samples);
      return;
    }
    SampleSums mine = sums();
    SampleSums others = other.sums();
    samples = null;
    sums = mine == null || others == null ? null : joined(mine, others, other);
  }

  private SampleSums joined(SampleSums mine, SampleSums others, Statistics other) {
    SampleSums joined = new SampleSums();
    joined.addSteps(mine);
    joined.addSteps(others);
    if (hasReadings()) {
      Statistics earlier = endsBefore(other) ? this : other;
      Statistics later = earlier == this ? other : this;
      joined.step(earlier.last, later.first, later.firstTimestampMs - earlier.lastTimestampMs);
    }
    return joined;
  }

  private SampleSums sums() {
    if (samples == null) {
      return sums;
    }
    return samples.overflowed() ? null : samples.sums();
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

  /**
   * Whether integral, increase and resets are known: one of their sets is enabled, and no window
   * had more than the maximum of samples. The first call after additions costs tens of nanoseconds
   * for each sample that was added.
   */
  public boolean hasSums() {
    return sums() != null;
  }

  /**
   * Value x milliseconds from the first reading to the last, with each value held until the next;
   * rounded once. Readings of the same time are ordered by value. Only with {@link #hasSums}.
   */
  public double integral() {
    return sums().integral().toDouble();
  }

  /** Whether there is a {@link #timeWeightedAverage}: the integral is of readings of two times. */
  public boolean hasTimeWeightedAverage() {
    boolean lasts = hasReadings() && lastTimestampMs - firstTimestampMs > 0;
    return has(StatisticSet.INTEGRAL) && lasts && hasSums();
  }

  /**
   * The exact integral over the time from the first reading to the last, rounded once: it lies
   * within min and max. Only with {@link #hasTimeWeightedAverage}.
   */
  public double timeWeightedAverage() {
    return sums().integral().dividedBy(lastTimestampMs - firstTimestampMs);
  }

  /**
   * The increase of a counter from the first reading to the last; a fall is a reset to 0; rounded
   * once. Only with {@link #hasSums}.
   */
  public double increase() {
    return sums().increase().toDouble();
  }

  /** Number of values that are smaller than the previous one. Only with {@link #hasSums}. */
  public long resets() {
    return sums().resets();
  }

  /** Whether fields of an enabled set are unknown, because there were too many samples. */
  public boolean samplesOverflowed() {
    return needsSamples() && (samples == null ? sums == null : samples.overflowed());
  }

  /** The samples, for serialization of a window; null if none are stored. */
  public Samples samples() {
    return samples;
  }

  /** The merged sums of {@link #ofSpans}, for serialization; null if unknown. */
  public SampleSums sumsOfSpans() {
    return sums;
  }

  /** Number of readings with quality UNCERTAIN. */
  public long uncertainCount() {
    return uncertainCount;
  }

  /** Restores the first and the last reading. */
  public void restoreFirstAndLast(
      long firstTimestamp, double firstValue, long lastTimestamp, double lastValue) {
    firstTimestampMs = firstTimestamp;
    first = firstValue;
    lastTimestampMs = lastTimestamp;
    last = lastValue;
  }

  /** Restores the sum of squares. */
  public void restoreSquares(ExactAccumulator kept) {
    squares = kept;
  }

  /** Restores the histogram. */
  public void restoreHistogram(ExponentialHistogram kept) {
    histogram = kept;
  }

  /** Restores the number of uncertain readings. */
  public void restoreUncertainCount(long kept) {
    uncertainCount = kept;
  }

  /** Restores samples; they may be incomplete, and must be resumed. */
  public void restoreSamples(Samples kept) {
    samples = kept;
    sums = null;
  }

  /** Restores merged sums; null if unknown. */
  public void restoreSums(SampleSums kept) {
    samples = null;
    sums = kept;
  }
}
