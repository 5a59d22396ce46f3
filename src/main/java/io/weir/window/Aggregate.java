package io.weir.window;

/**
 * Count, sum, min and max of finite values, and how many bad ones there were.
 *
 * <p>The sum is compensated as by Neumaier (A. Neumaier, "Rundungsfehleranalyse einiger Verfahren
 * zur Summation endlicher Summen", ZAMM 54, 1974): after n additions, a merge being two more, its
 * error is at most one rounding of the result plus n^2 u^2 times the sum of the magnitudes, u =
 * 2^-53. So it is within 1 ulp of the exact sum unless the values cancel to less than about n^2 u
 * of their magnitudes. A running sum that leaves the range of double stays infinite; it is never
 * NaN.
 *
 * <p>{@link #merge} is associative and commutative and agrees with adding one by one: exactly for
 * counts, min and max, within the bound above for the sum. An empty aggregate is its identity.
 *
 * <p>Not safe for several threads.
 */
public class Aggregate {
  private long count;
  private long badCount;
  private double sum;
  private double compensation;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  public Aggregate() {}

  /** As the getters once gave it; min and max are not looked at where count is 0. */
  protected Aggregate(
      long count, long badCount, double sum, double compensation, double min, double max) {
    this.count = count;
    this.badCount = badCount;
    this.sum = sum;
    this.compensation = compensation;
    if (count > 0) {
      this.min = min;
      this.max = max;
    }
  }

  /**
   * Adds a value; -0.0 counts as 0.0.
   *
   * @param value finite
   * @throws ArithmeticException if the count would overflow
   */
  public final void add(double value) {
    count = Math.incrementExact(count);
    double normal = value + 0.0;
    addToSum(normal);
    if (normal < min) {
      min = normal;
    }
    if (normal > max) {
      max = normal;
    }
  }

  private void addToSum(double value) {
    double next = sum + value;
    if (Math.abs(next) <= Double.MAX_VALUE) {
      compensation +=
          Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
    } else {
      compensation = 0;
    }
    sum = next;
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
   * Adds all that another one holds.
   *
   * @throws ArithmeticException if a count would overflow; nothing is added then
   */
  public final void merge(Aggregate other) {
    long nextCount = Math.addExact(count, other.count);
    badCount = Math.addExact(badCount, other.badCount);
    count = nextCount;
    if (Double.isInfinite(sum) || Double.isInfinite(other.sum)) {
      compensation = 0;
      sum = sum == -other.sum ? Double.POSITIVE_INFINITY : sum + other.sum;
    } else {
      addToSum(other.sum);
      if (!Double.isInfinite(sum)) {
        addToSum(other.compensation);
      }
    }
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
  }

  /** Readings that are not bad. */
  public final long count() {
    return count;
  }

  public final long badCount() {
    return badCount;
  }

  /** The compensated sum; 0 where count is 0. */
  public final double sum() {
    return sum + compensation + 0.0;
  }

  /** 0 where count is 0. */
  public final double min() {
    return count == 0 ? 0 : min;
  }

  /** 0 where count is 0. */
  public final double max() {
    return count == 0 ? 0 : max;
  }

  /** The sum before its compensation: for those who keep an aggregate. */
  public final double rawSum() {
    return sum;
  }

  /** What the raw sum lacks. */
  public final double compensation() {
    return compensation;
  }
}
