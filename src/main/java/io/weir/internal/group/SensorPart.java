package io.weir.internal.group;

import java.util.Arrays;

/**
 * A sensor's contribution to a window of its group: the newest summary of the sensor's window.
 * Immutable; equality is by value.
 */
public final class SensorPart {
  /** Memory of a part without its sensor's id and its rest, in bytes. */
  static final int OVERHEAD_BYTES = 180;

  private final long count;
  private final long badCount;
  private final double sum;
  private final double[] rest;
  private final double min;
  private final double max;

  /**
   * @param count readings that are not bad, not negative; if it is 0, sum, min and max are
   *     undefined
   * @param badCount not negative
   * @param sum not NaN
   * @param rest finite values that, added to the sum, result in the exact sum; empty if unknown or
   *     zero. Must not be used elsewhere afterwards
   */
  public SensorPart(long count, long badCount, double sum, double[] rest, double min, double max) {
    this.count = count;
    this.badCount = badCount;
    this.sum = count == 0 ? 0 : sum;
    this.rest = count == 0 ? new double[0] : rest;
    this.min = count == 0 ? 0 : min;
    this.max = count == 0 ? 0 : max;
  }

  public long count() {
    return count;
  }

  public long badCount() {
    return badCount;
  }

  /** The sum, rounded. */
  public double sum() {
    return sum;
  }

  /** The number of values of the rest. */
  public int restSize() {
    return rest.length;
  }

  /** A value of the rest. */
  public double rest(int index) {
    return rest[index];
  }

  public double min() {
    return min;
  }

  public double max() {
    return max;
  }

  /** Its approximate memory, including its sensor's id. */
  long memoryBytes(String sensorId) {
    return OVERHEAD_BYTES + 2L * sensorId.length() + (long) Double.BYTES * rest.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SensorPart part
        && part.count == count
        && part.badCount == badCount
        && Double.compare(part.sum, sum) == 0
        && Arrays.equals(part.rest, rest)
        && Double.compare(part.min, min) == 0
        && Double.compare(part.max, max) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(count) * 31 + Double.hashCode(sum);
  }
}
