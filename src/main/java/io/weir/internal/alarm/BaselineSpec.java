package io.weir.internal.alarm;

import io.weir.internal.window.aggregate.Aggregate;

/**
 * The past windows of a sensor that a deviation is compared with. Rules with the same specification
 * share a baseline.
 *
 * @param of the value of a window that is compared
 * @param windows number of past windows, including those without readings
 */
public record BaselineSpec(Of of, int windows) {
  /** Minimum number of windows with readings for a comparison. */
  public static final int LEAST_WINDOWS = 10;

  /** Each costs 8 bytes per sensor. */
  public static final int MOST_WINDOWS = 10_000;

  /** A value of a window. */
  public enum Of {
    MIN,
    MAX,
    MEAN;

    /** The value of a window with readings. The mean is the rounded sum divided by the count. */
    double in(Aggregate window) {
      return switch (this) {
        case MIN -> window.min();
        case MAX -> window.max();
        case MEAN -> window.sum() / window.count();
      };
    }
  }
}
