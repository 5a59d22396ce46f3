package io.weir.internal.window.aggregate;

import java.math.BigInteger;

/**
 * Count, exact sum, min and max of finite values, and the count of bad ones.
 *
 * <p>The sum is exact, and rounded once by the getter. It is stored as the unevaluated sum of two
 * doubles as long as this is exact, which the error-free transformation of D. E. Knuth (TwoSum; The
 * Art of Computer Programming 2, 4.2.2) checks at each addition; from the first inexact addition on
 * it is stored in an {@link ExactAccumulator}. So every getter is a function of the readings:
 * order, batches and merges do not change a bit.
 *
 * <p>{@link #merge} is associative and commutative, is equal to adding one by one, and has the
 * empty aggregate as identity.
 *
 * <p>Not safe for several threads.
 */
public class Aggregate {
  /** Whole numbers up to here are doubles. */
  private static final long MOST_EXACT = 1L << 53;

  /** Between these, no intermediate result of {@link #quickMean} leaves the normal doubles. */
  private static final double LEAST_QUICK = 1e-200;

  private static final double MOST_QUICK = 1e300;

  /** More than the roundings in it make of the second part of a quick mean. */
  private static final double QUICK_ERROR = 0x1p-49;

  private long count;
  private long badCount;

  /** With {@link #low}: the sum, if {@link #wide} is null. */
  private double high;

  /** NaN if {@link #wide} has the sum, so that one comparison is enough. */
  private double low;

  private ExactAccumulator wide;

  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /** Null if no set is enabled. */
  private Statistics statistics;

  /** An empty aggregate without further statistics. */
  public Aggregate() {}

  /** An empty aggregate. * @param statistics empty statistics; null for none */
  public Aggregate(Statistics statistics) {
    this.statistics = statistics;
  }

  /**
   * Adds a reading that is not bad; converts -0.0 to 0.0.
   *
   * @param value finite
   * @throws ArithmeticException if the count would overflow; then nothing is added
   */
  public final void add(long timestampMs, double value, boolean uncertain) {
    add(value);
    if (statistics != null) {
      statistics.add(timestampMs, value + 0.0, uncertain);
    }
  }

  /**
   * Adds a value to count, sum, min and max; converts -0.0 to 0.0.
   *
   * @param value finite
   * @throws ArithmeticException if the count would overflow; then nothing is added
   */
  public final void add(double value) {
    count = Math.incrementExact(count);
    addUncounted(value + 0.0);
  }

  /**
   * Adds a range of values to count, sum, min and max, with the same result as {@link #add(double)}
   * for each, at lower cost.
   *
   * @param from index of the first value
   * @param to index after the last one
   * @throws ArithmeticException if the count would overflow; then nothing is added
   */
  public final void addAll(double[] values, int from, int to) {
    count = Math.addExact(count, to - from);
    double runningHigh = high;
    double runningLow = low;
    double runningMin = min;
    double runningMax = max;
    int next = from;
    // The same transformation as in addToSum, on locals.
    for (; next < to; next++) {
      double value = values[next] + 0.0;
      double sum = runningHigh + value;
      double part = sum - runningHigh;
      double error = (runningHigh - (sum - part)) + (value - part);
      double lowSum = runningLow + error;
      double lowPart = lowSum - runningLow;
      double lost = (runningLow - (lowSum - lowPart)) + (error - lowPart);
      if (lost != 0) {
        break;
      }
      runningHigh = sum;
      runningLow = lowSum;
      runningMin = value < runningMin ? value : runningMin;
      runningMax = value > runningMax ? value : runningMax;
    }
    high = runningHigh;
    low = runningLow;
    min = runningMin;
    max = runningMax;
    for (; next < to; next++) {
      addUncounted(values[next] + 0.0);
    }
  }

  private void addUncounted(double value) {
    addToSum(value);
    if (value < min) {
      min = value;
    }
    if (value > max) {
      max = value;
    }
  }

  private void addToSum(double value) {
    double sum = high + value;
    double part = sum - high;
    double error = (high - (sum - part)) + (value - part);
    double lowSum = low + error;
    double lowPart = lowSum - low;
    double lost = (low - (lowSum - lowPart)) + (error - lowPart);
    // Also false after an overflow, because then lost is NaN.
    if (lost == 0) {
      high = sum;
      low = lowSum;
    } else {
      addWide(value);
    }
  }

  private void addWide(double value) {
    widen();
    wide.add(value);
  }

  /** Moves the sum to an accumulator. */
  private void widen() {
    if (wide == null) {
      wide = new ExactAccumulator();
      wide.add(high);
      wide.add(low);
      high = 0;
      low = Double.NaN;
    }
  }

  /**
   * Counts a bad reading.
   *
   * @throws ArithmeticException if the count would overflow
   */
  public final void addBad() {
    badCount = Math.incrementExact(badCount);
  }

  /**
   * Adds another aggregate, which is not changed and has at least the same sets of statistics.
   *
   * @throws ArithmeticException if a count would overflow; then nothing is added
   * @throws IllegalArgumentException if it lacks sets, or if the set integral or counter is
   *     enabled, one of the two has no samples, and they overlap in time; then nothing is added
   */
  public final void merge(Aggregate other) {
    if (statistics != null) {
      statistics.requireMergeable(other.statistics);
    }
    long nextCount = Math.addExact(count, other.count);
    badCount = Math.addExact(badCount, other.badCount);
    count = nextCount;
    mergeSum(other);
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
    if (statistics != null) {
      statistics.merge(other.statistics);
    }
  }

  /**
   * Adds another aggregate, which is not changed; keeps only the sets of statistics that both have.
   *
   * @throws ArithmeticException if a count would overflow
   */
  public final void mergeCommon(Aggregate other) {
    if (statistics != null) {
      statistics = statistics.only(other.statistics == null ? 0 : other.statistics.sets());
    }
    merge(other);
  }

  /**
   * An independent copy that can only be merged into, for a longer window, see {@link
   * Statistics#ofSpans}.
   */
  public static Aggregate spanOf(Aggregate other) {
    boolean plain = other.statistics == null;
    Aggregate span = new Aggregate(plain ? null : Statistics.ofSpans(other.statistics.sets()));
    span.merge(other);
    return span;
  }

  private void mergeSum(Aggregate other) {
    if (other.wide != null) {
      widen();
      wide.merge(other.wide);
    } else {
      addToSum(other.high);
      addToSum(other.low);
    }
  }

  /** Readings that are not bad. */
  public final long count() {
    return count;
  }

  public final long badCount() {
    return badCount;
  }

  /**
   * The sum, rounded once to the nearest double; infinite above the largest double. 0 if count is
   * 0.
   */
  public final double sum() {
    // One addition rounds the exact sum of the two doubles once. 0.0 + -0.0 is 0.0.
    return wide != null ? wide.toDouble() : high + low + 0.0;
  }

  /**
   * The difference of the exact sum and {@link #sum}, as values whose exact sum it is, the largest
   * first. Empty if the sum is exact or infinite.
   */
  public final double[] sumRest() {
    return Double.isFinite(sum()) ? exactSum().terms(1) : new double[0];
  }

  /** 0 if count is 0. */
  public final double min() {
    return count == 0 ? 0 : min;
  }

  /** 0 if count is 0. */
  public final double max() {
    return count == 0 ? 0 : max;
  }

  /**
   * The exact sum over count, rounded once: it lies within min and max, and is finite also where
   * the sum is not. 0 where count is 0.
   */
  public final double mean() {
    if (count == 0) {
      return 0;
    }
    if (wide == null && count <= MOST_EXACT) {
      double mean = quickMean();
      if (!Double.isNaN(mean)) {
        return mean;
      }
    }
    return exactSum().dividedBy(count);
  }

  /**
   * The mean, computed with doubles; NaN where these cannot decide to which double it is to be
   * rounded (A. Ziv's test), or could overflow or lose bits.
   */
  private double quickMean() {
    double sum = high + low;
    double part = sum - high;
    double rest = (high - (sum - part)) + (low - part);
    if (rest == 0) {
      return sum / count + 0.0;
    }
    double magnitude = Math.abs(sum);
    if (!(magnitude > LEAST_QUICK && magnitude < MOST_QUICK)) {
      return Double.NaN;
    }
    double first = sum / count;
    double second = (Math.fma(-first, count, sum) + rest) / count;
    double mean = first + second;
    double left = second - (mean - first);
    double doubt = Math.abs(second) * QUICK_ERROR;
    return mean + (left + doubt) == mean + (left - doubt) ? mean : Double.NaN;
  }

  /**
   * The sum of the squared distances of all values from their mean, exact and rounded once; without
   * {@link StatisticSet#VARIANCE} there is none to ask for. 0 where count is 0.
   */
  public final double m2() {
    if (count == 0) {
      return 0;
    }
    int exponent = squaresExponent();
    return Rounding.quotient(countTimesSquares(exponent), BigInteger.valueOf(count), exponent);
  }

  /**
   * The standard deviation of a sample, the root of m2 over count - 1, exact and rounded once; as
   * {@link #m2}, and only where count is at least 2.
   */
  public final double standardDeviation() {
    int exponent = squaresExponent();
    BigInteger divisor = BigInteger.valueOf(count).multiply(BigInteger.valueOf(count - 1));
    return Rounding.squareRoot(countTimesSquares(exponent), divisor, exponent);
  }

  private int squaresExponent() {
    return Math.min(statistics.squares().exponent(), 2 * exactSum().exponent());
  }

  /** m2 times count: count times the sum of squares, less the square of the sum. */
  private BigInteger countTimesSquares(int exponent) {
    ExactAccumulator squares = statistics.squares();
    ExactAccumulator sum = exactSum();
    return squares
        .unscaled()
        .multiply(BigInteger.valueOf(count))
        .shiftLeft(squares.exponent() - exponent)
        .subtract(sum.unscaled().pow(2).shiftLeft(2 * sum.exponent() - exponent));
  }

  private ExactAccumulator exactSum() {
    if (wide != null) {
      return wide;
    }
    ExactAccumulator sum = new ExactAccumulator();
    sum.add(high);
    sum.add(low);
    return sum;
  }

  /** Null if no set is enabled. */
  public final Statistics statistics() {
    return statistics;
  }

  /** The samples of a set that needs them; null without one. */
  public final Samples samples() {
    return statistics == null ? null : statistics.samples();
  }

  /** The larger part of a sum in two doubles, for serialization. */
  public final double sumHigh() {
    return high;
  }

  /** The smaller part of the sum, for serialization. */
  public final double sumLow() {
    return wide != null ? 0 : low;
  }

  /** The sum if it does not fit two doubles, else null, for serialization. */
  public final ExactAccumulator wideSum() {
    return wide;
  }

  /**
   * Replaces the content by serialized values; ignores min and max if count is 0.
   *
   * @param wide null if high and low have the sum; must not be used elsewhere afterwards
   * @param statistics null for none; must not be used elsewhere afterwards
   */
  public final void restore(
      long count,
      long badCount,
      double high,
      double low,
      ExactAccumulator wide,
      double min,
      double max,
      Statistics statistics) {
    this.count = count;
    this.badCount = badCount;
    this.high = wide != null ? 0 : high;
    this.low = wide != null ? Double.NaN : low;
    this.wide = wide;
    this.min = count > 0 ? min : Double.POSITIVE_INFINITY;
    this.max = count > 0 ? max : Double.NEGATIVE_INFINITY;
    this.statistics = statistics;
  }

  /** Replaces the content by that of another aggregate. */
  public final void restore(Aggregate other) {
    restore(
        other.count,
        other.badCount,
        other.high,
        other.low,
        other.wide,
        other.min,
        other.max,
        other.statistics);
  }
}
