package io.weir.window.aggregate;

/**
 * What is known of a window's values beside count, sum, min and max: the sets that were switched on
 * when the window began. Every field is a function of the readings alone.
 *
 * <p>Integral and counter depend on which reading follows which. A window keeps its readings as
 * {@link Samples} for them, and takes readings in any order. Longer spans are merged of windows
 * without keeping samples, see {@link #ofSpans}; they have {@link SampleSums} alone.
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

  /** Null where no set needs samples, and where sums hold what follows from them. */
  private Samples samples;

  /** Null where samples are kept, and where there were too many of them. */
  private SampleSums sums;

  /**
   * Of no reading yet.
   *
   * @param sets bits of {@link StatisticSet}, at least one; those that they imply come with them
   * @param mostSamples how many samples are kept at the most, where a set needs them; with more,
   *     its fields are not known
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
   * Of no reading yet, and never added to but by merging windows, or spans of them: it keeps no
   * samples.
   *
   * @param sets as those of the windows
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

  /** The sets of these that are among some, in the form of {@link #ofSpans}; null for none. */
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
   * Whether another one can be added: it has at least the same sets, and where samples are needed
   * and not kept by both, all of its readings are earlier than those here, or all later.
   *
   * @throws IllegalArgumentException if it cannot
   */
  void requireMergeable(Statistics other) {
    if ((sets & ~other.sets) != 0) {
      throw new IllegalArgumentException("sets " + other.sets + " do not fit sets " + sets);
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
   * Adds all that another one holds, which stays as it is; sets that it has beside these are not
   * looked at.
   *
   * @param other that {@link #requireMergeable} accepts
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

  /** Derived from the first and the last reading, which are present wherever it matters. */
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
   * Whether integral, increase and resets are known: one of their sets is switched on, and no
   * window had more samples than are kept. Asked once for all that was added, they cost some tens
   * of nanoseconds a sample.
   */
  public boolean hasSums() {
    return sums() != null;
  }

  /**
   * Value x milliseconds from the first reading to the last, each value held until the next;
   * rounded once. Of readings of one time the smallest comes first. Only with {@link #hasSums}.
   */
  public double integral() {
    return sums().integral().toDouble();
  }

  /**
   * How far a counter rose from the first reading to the last, where a fall is a reset and counts
   * from 0; rounded once. Only with {@link #hasSums}.
   */
  public double increase() {
    return sums().increase().toDouble();
  }

  /** How often a value is smaller than the one before. Only with {@link #hasSums}. */
  public long resets() {
    return sums().resets();
  }

  /** Whether a set is switched on whose fields are not known, as there were too many samples. */
  public boolean samplesOverflowed() {
    return needsSamples() && sums() == null;
  }

  /** Null where none are kept. For those who keep a window. */
  public Samples samples() {
    return samples;
  }

  /** What {@link #ofSpans} merged; null where it is not known. For those who keep a span. */
  public SampleSums sumsOfSpans() {
    return sums;
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

  /** Puts back samples; they may still be incomplete, and are to be resumed. */
  public void restoreSamples(Samples kept) {
    samples = kept;
    sums = null;
  }

  /** Puts back what was merged of spans, or that it is not known: null. */
  public void restoreSums(SampleSums kept) {
    samples = null;
    sums = kept;
  }
}
