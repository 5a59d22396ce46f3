package io.weir.alarm;

import io.weir.window.aggregate.Aggregate;

/**
 * Which of a sensor's past windows a deviation is measured against. Rules that agree in it share
 * what is kept.
 *
 * @param of the number of a window that counts
 * @param windows how many windows back, those without readings included
 */
public record BaselineSpec(Of of, int windows) {
  /** Fewer windows with readings than this say nothing. */
  public static final int LEAST_WINDOWS = 10;

  /** Each costs 8 bytes a sensor. */
  public static final int MOST_WINDOWS = 10_000;

  /** A number of a window. */
  public enum Of {
    MIN,
    MAX,
    MEAN;

    /** The number; of a window with readings. The mean is the rounded sum divided by the count. */
    double in(Aggregate window) {
      return switch (this) {
        case MIN -> window.min();
        case MAX -> window.max();
        case MEAN -> window.sum() / window.count();
      };
    }
  }
}
