package io.weir.lab.bench;

import java.util.Arrays;

/** What repeated measuring gave: the middle and the ends. */
public record Spread(double median, double least, double most) {

  /**
   * @param values in any order, at least one
   */
  static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }
}
