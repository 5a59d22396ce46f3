package io.weir.lab.cli.demo;

/** A row of numbers as a row of blocks. */
public final class Sparkline {
  private static final String BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";

  private Sparkline() {}

  /**
   * The last numbers that fit, from zero to the largest.
   *
   * @param values not negative
   */
  public static String fromZero(double[] values, int width) {
    return of(values, width, 0);
  }

  /** The last numbers that fit, from the smallest to the largest of them. */
  public static String fromSmallest(double[] values, int width) {
    double smallest = Double.POSITIVE_INFINITY;
    for (int i = first(values, width); i < values.length; i++) {
      smallest = Math.min(smallest, values[i]);
    }
    return of(values, width, smallest);
  }

  private static String of(double[] values, int width, double floor) {
    int first = first(values, width);
    double largest = floor;
    for (int i = first; i < values.length; i++) {
      largest = Math.max(largest, values[i]);
    }
    StringBuilder line = new StringBuilder();
    for (int i = first; i < values.length; i++) {
      double part = largest > floor ? (values[i] - floor) / (largest - floor) : 0;
      line.append(BLOCKS.charAt((int) Math.round(part * (BLOCKS.length() - 1))));
    }
    return line.toString();
  }

  private static int first(double[] values, int width) {
    return Math.max(0, values.length - width);
  }
}
