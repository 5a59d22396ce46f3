package io.weir.summary;

import io.weir.internal.window.aggregate.ExactAccumulator;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalDouble;

/**
 * Values derived from a summary's fields. Each is empty if the summary has no readings or lacks the
 * required set of statistics. Zero is never negative. Stateless; thread-safe.
 *
 * <p>Mean, standard deviation and time-weighted average are those that Weir wrote: exact, and
 * rounded once. If a summary lacks them, they are computed from its rounded fields.
 */
public final class Derived {
  /** Decimals of a product q x count that count. */
  private static final int RANK_DIGITS = 9;

  private Derived() {}

  /** Sum over count: within min and max, and finite also where the sum is not. */
  public static OptionalDouble mean(WindowSummary window) {
    if (window.getCount() == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        window.hasMean()
            ? window.getMean() + 0.0
            : within(window.getMin(), quotient(window), window.getMax()));
  }

  /** The mean from the rounded sum: sum over count, limited to min..max. */
  public static double mean(double sum, long count, double min, double max) {
    return within(min, sum / count, max);
  }

  private static double quotient(WindowSummary window) {
    long count = window.getCount();
    if (count < 0 || !Double.isFinite(window.getSum())) {
      return window.getSum() / unsigned(count);
    }
    ExactAccumulator sum = new ExactAccumulator();
    sum.add(window.getSum());
    window.getSumRestList().stream().filter(Double::isFinite).forEach(sum::add);
    return sum.dividedBy(count);
  }

  private static double unsigned(long count) {
    return count >= 0 ? count : (count >>> 1) * 2.0;
  }

  private static double within(double min, double value, double max) {
    return Math.max(min, Math.min(value, max)) + 0.0;
  }

  /** The largest value minus the smallest. */
  public static OptionalDouble spread(WindowSummary window) {
    return window.getCount() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(window.getMax() - window.getMin() + 0.0);
  }

  /**
   * The standard deviation of a sample: the square root of m2 over count - 1. Needs two readings
   * and the set variance.
   */
  public static OptionalDouble standardDeviation(WindowSummary window) {
    if (window.hasStandardDeviation()) {
      return OptionalDouble.of(window.getStandardDeviation() + 0.0);
    }
    return window.getCount() < 2 || !window.hasM2()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.sqrt(window.getM2() / (window.getCount() - 1)) + 0.0);
  }

  /**
   * The time-weighted average from the first reading to the last, each value held until the next:
   * the integral over last timestamp - first timestamp, within min and max. Needs readings of two
   * times and the set integral.
   */
  public static OptionalDouble timeWeightedAverage(WindowSummary window) {
    if (window.hasTimeWeightedAverage()) {
      return OptionalDouble.of(window.getTimeWeightedAverage() + 0.0);
    }
    long spanMs = window.getLastTimestampMs() - window.getFirstTimestampMs();
    return !window.hasIntegral() || spanMs <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            within(window.getMin(), window.getIntegral() / spanMs, window.getMax()));
  }

  /**
   * The quantile {@code q} by nearest rank, the value of rank ceil(q x count), with the error
   * {@link #quantileError} and within min and max. Needs the set histogram.
   *
   * @param q above 0, at most 1
   */
  public static OptionalDouble quantile(WindowSummary window, double q) {
    if (!(q > 0 && q <= 1)) {
      throw new IllegalArgumentException("quantile " + q + "; expected: above 0, at most 1");
    }
    if (window.getCount() == 0 || !window.hasHistogram()) {
      return OptionalDouble.empty();
    }
    double value = valueOf(window.getHistogram(), rank(q, window.getCount()));
    return OptionalDouble.of(within(window.getMin(), value, window.getMax()));
  }

  /** As 0.07 x 100 is 7 and 2 / 3 x 3 is 2, whatever doubles make of them. */
  private static long rank(double q, long count) {
    return BigDecimal.valueOf(q)
        .multiply(BigDecimal.valueOf(count))
        .setScale(RANK_DIGITS, RoundingMode.HALF_EVEN)
        .setScale(0, RoundingMode.CEILING)
        .longValue();
  }

  /** The value of a rank, 1 for the smallest. */
  private static double valueOf(ExponentialHistogram histogram, long rank) {
    long left = rank;
    ExponentialHistogram.Buckets negative = histogram.getNegative();
    for (int i = negative.getCountsCount() - 1; i >= 0; i--) {
      left -= negative.getCounts(i);
      if (left <= 0) {
        return -middle(histogram.getScale(), negative.getOffset() + i);
      }
    }
    left -= histogram.getZeroCount();
    if (left <= 0) {
      return 0;
    }
    ExponentialHistogram.Buckets positive = histogram.getPositive();
    for (int i = 0; i < positive.getCountsCount(); i++) {
      left -= positive.getCounts(i);
      if (left <= 0) {
        return middle(histogram.getScale(), positive.getOffset() + i);
      }
    }
    return Double.MAX_VALUE;
  }

  /**
   * The value with the same relative distance to both bounds of a bucket. It is a double also where
   * the upper bound, 2^1024, is none, and is rounded once where the lower bound is subnormal.
   */
  private static double middle(int scale, int bucket) {
    double width = Math.scalb(1.0, -scale);
    double low = bucket * width; // Of the lower bound the binary logarithm.
    double whole = Math.floor(low);
    double mantissa = Math.pow(2, low - whole) * 2 / (1 + Math.pow(2, -width));
    return Math.scalb(mantissa, (int) whole);
  }

  /**
   * The maximum relative error of a quantile: (base - 1) / (base + 1), where base is the growth
   * factor of the buckets. Needs the set histogram.
   */
  public static OptionalDouble quantileError(WindowSummary window) {
    if (window.getCount() == 0 || !window.hasHistogram()) {
      return OptionalDouble.empty();
    }
    double base = Math.pow(2, Math.pow(2, -window.getHistogram().getScale()));
    return OptionalDouble.of((base - 1) / (base + 1));
  }
}
