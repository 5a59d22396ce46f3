package io.weir.window.aggregate;

import java.math.BigInteger;

/**
 * Count, exact sum, min and max of finite values, and how many bad ones there were.
 *
 * <p>The sum is that of the readings without any rounding, and is rounded once where it is asked
 * for. It is held as the unevaluated sum of two doubles as long as nothing is lost in them, which
 * the error-free transformation of D. E. Knuth (TwoSum; The Art of Computer Programming 2, 4.2.2)
 * computes at each addition; from the first addition that would lose something on it is held in an
 * {@link ExactAccumulator}. So every getter is a function of the readings alone: neither order nor
 * batches nor merges make a difference, not in a single bit.
 *
 * <p>{@link #merge} is associative and commutative, agrees with adding one by one, and has the
 * empty aggregate as its identity.
 *
 * <p>Not safe for several threads.
 */
public class Aggregate {
  private long count;
  private long badCount;

  /** With {@link #low}: the sum, where {@link #wide} is null. */
  private double high;

  /** NaN where {@link #wide} holds the sum, so that one comparison answers both. */
  private double low;

  private ExactAccumulator wide;

  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /** Null where no set is switched on. */
  private Statistics statistics;

  /** Of no reading yet, without further statistics. */
  public Aggregate() {}

  /**
   * Of no reading yet.
   *
   * @param statistics of no reading yet; null for none
   */
  public Aggregate(Statistics statistics) {
    this.statistics = statistics;
  }

  /**
   * Adds a reading that is not bad; -0.0 counts as 0.0.
   *
   * @param value finite
   * @throws ArithmeticException if the count would overflow; nothing is added then
   */
  public final void add(long timestampMs, double value, boolean uncertain) {
    add(value);
    if (statistics != null) {
      statistics.add(timestampMs, value + 0.0, uncertain);
    }
  }

  /**
   * Adds a value to count, sum, min and max; -0.0 counts as 0.0.
   *
   * @param value finite
   * @throws ArithmeticException if the count would overflow; nothing is added then
   */
  public final void add(double value) {
    count = Math.incrementExact(count);
    addUncounted(value + 0.0);
  }

  /**
   * Adds a stretch of values to count, sum, min and max, as {@link #add(double)} would one after
   * another. What they have in common is done once.
   *
   * @param from index of the first value
   * @param to index after the last one
   * @throws ArithmeticException if the count would overflow; nothing is added then
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
    // Also false where something overflowed, which makes lost NaN.
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

  /** Holds the sum in an accumulator from now on. */
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
   * Adds all that another one holds, which stays as it is and has at least the same sets of
   * statistics.
   *
   * @throws ArithmeticException if a count would overflow; nothing is added then
   * @throws IllegalArgumentException if its sets are others, or if the sets integral or counter are
   *     switched on, one of the two keeps no samples, and neither ends before the other begins;
   *     nothing is added then
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
   * Adds all that another one holds, which stays as it is; of the statistics, those sets stay that
   * both have.
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
   * One that holds the same, is independent of it, and takes what is merged into it alone: as a
   * span's, see {@link Statistics#ofSpans}.
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
   * The sum, rounded once to the nearest double; infinite where that is beyond the largest double.
   * 0 where count is 0.
   */
  public final double sum() {
    // Two doubles whose sum is exact are rounded once by adding them. 0.0 + -0.0 is 0.0.
    return wide != null ? wide.toDouble() : high + low + 0.0;
  }

  /**
   * What the exact sum has beside {@link #sum}: values that are the exact sum when they are added
   * to it exactly, the largest first. None where the sum is exact, or infinite.
   */
  public final double[] sumRest() {
    return Double.isFinite(sum()) ? exactSum().terms(1) : new double[0];
  }

  /** 0 where count is 0. */
  public final double min() {
    return count == 0 ? 0 : min;
  }

  /** 0 where count is 0. */
  public final double max() {
    return count == 0 ? 0 : max;
  }

  /**
   * The sum of the squared distances of all values from their mean, exact and rounded once; without
   * {@link StatisticSet#VARIANCE} there is none to ask for. 0 where count is 0.
   */
  public final double m2() {
    if (count == 0) {
      return 0;
    }
    // n times the sum of squares, less the square of the sum, all divided by n.
    ExactAccumulator squares = statistics.squares();
    ExactAccumulator sum = exactSum();
    int exponent = Math.min(squares.exponent(), 2 * sum.exponent());
    BigInteger dividend =
        squares
            .unscaled()
            .multiply(BigInteger.valueOf(count))
            .shiftLeft(squares.exponent() - exponent)
            .subtract(sum.unscaled().pow(2).shiftLeft(2 * sum.exponent() - exponent));
    return Rounding.quotient(dividend, BigInteger.valueOf(count), exponent);
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

  /** Null where no set is switched on. */
  public final Statistics statistics() {
    return statistics;
  }

  /** The samples that are kept for a set that needs them; null where there is none. */
  public final Samples samples() {
    return statistics == null ? null : statistics.samples();
  }

  /** The larger part of a sum that two doubles hold: for those who keep an aggregate. */
  public final double sumHigh() {
    return high;
  }

  /** What the larger part lacks. */
  public final double sumLow() {
    return wide != null ? 0 : low;
  }

  /** The sum where two doubles do not hold it, else null: for those who keep an aggregate. */
  public final ExactAccumulator wideSum() {
    return wide;
  }

  /**
   * Puts back what was kept, in place of what there is; min and max are not looked at where count
   * is 0.
   *
   * @param wide null where high and low hold the sum; not to be used elsewhere afterwards
   * @param statistics null for none; not to be used elsewhere afterwards
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

  /** Takes over all that another one holds, in place of what there is. */
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
