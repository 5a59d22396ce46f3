package io.weir.summary;

import io.weir.v1.ExponentialHistogram;
import io.weir.v1.WindowSummary;
import java.util.OptionalDouble;

/**
 * Values derived from a summary's fields. Each is empty if the summary has no readings or lacks the
 * required set of statistics. Stateless; thread-safe.
 */
public final class Derived {
  private Derived() {}

  /** Sum over count. */
  public static OptionalDouble mean(WindowSummary window) {
    return window.getCount() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(window.getSum() / window.getCount());
  }

  /** The largest value less the smallest. */
  public static OptionalDouble spread(WindowSummary window) {
    return window.getCount() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(window.getMax() - window.getMin());
  }

  /**
   * The standard deviation of a sample: the square root of m2 over count - 1. Needs two readings
   * and the set variance.
   */
  public static OptionalDouble standardDeviation(WindowSummary window) {
    return window.getCount() < 2 || !window.hasM2()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.sqrt(window.getM2() / (window.getCount() - 1)));
  }

  /**
   * The time-weighted average from the first reading to the last, each value held until the next:
   * the integral over last timestamp - first timestamp. Needs readings of two times and the set
   * integral.
   */
  public static OptionalDouble timeWeightedAverage(WindowSummary window) {
    long spanMs = window.getLastTimestampMs() - window.getFirstTimestampMs();
    return !window.hasIntegral() || spanMs == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(window.getIntegral() / spanMs);
  }

  /**
   * The quantile {@code q} by nearest rank, with the error {@link #quantileError}. Needs the set
   * histogram.
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
    long rank = Math.max(1, (long) Math.ceil(q * window.getCount()));
    double value = valueOf(window.getHistogram(), rank);
    return OptionalDouble.of(Math.max(window.getMin(), Math.min(value, window.getMax())));
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

  /** The value with the same relative distance to both bounds of a bucket. */
  private static double middle(int scale, int bucket) {
    double low = bound(scale, bucket);
    double high = bound(scale, bucket + 1);
    return 2 * low / (low / high + 1);
  }

  private static double bound(int scale, int index) {
    return Math.pow(2, index * Math.pow(2, -scale));
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
