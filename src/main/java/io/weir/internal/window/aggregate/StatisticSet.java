package io.weir.internal.window.aggregate;

import java.util.Locale;

/** A set of fields of a summary that is enabled together. */
public enum StatisticSet {
  /** The first and the last reading by event time. */
  FIRST_LAST,
  /** The sum of squared distances from the mean. */
  VARIANCE,
  /** The distribution of the values. */
  HISTOGRAM,
  /** The number of readings with quality UNCERTAIN. */
  QUALITY,
  /** The integral over time, with each value held until the next; implies {@link #FIRST_LAST}. */
  INTEGRAL,
  /** The increase and the resets of a counter; implies {@link #FIRST_LAST}. */
  COUNTER,
  /** The difference of the exact and the rounded sum. */
  SUM_REST;

  /** The name in settings. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The bit in a mask of sets, which is part of the state's format. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Whether a mask has this set. */
  public boolean isIn(int sets) {
    return (sets & bit()) != 0;
  }

  /** Whether a mask has a set that is computed from the samples of a window. */
  static boolean needSamples(int sets) {
    return INTEGRAL.isIn(sets) || COUNTER.isIn(sets);
  }

  /**
   * Adds the implied sets to a mask: consumers join adjacent windows by the last and the first
   * reading, so integral and counter imply these.
   */
  public static int withImplied(int sets) {
    return needSamples(sets) ? sets | FIRST_LAST.bit() : sets;
  }
}
