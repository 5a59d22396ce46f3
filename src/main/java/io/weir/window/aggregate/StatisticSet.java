package io.weir.window.aggregate;

import java.util.Locale;

/** A set of fields of a summary that is switched on as one. */
public enum StatisticSet {
  /** The first and the last reading by event time. */
  FIRST_LAST,
  /** The sum of squared distances from the mean. */
  VARIANCE,
  /** How values are distributed. */
  HISTOGRAM,
  /** How many readings were of quality UNCERTAIN. */
  QUALITY,
  /** The integral over time, each value held until the next; with it {@link #FIRST_LAST}. */
  INTEGRAL,
  /** How far a counter rose, and how often it was reset; with it {@link #FIRST_LAST}. */
  COUNTER,
  /** What the exact sum has beside the rounded one. */
  SUM_REST;

  /** As settings name it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its bit in a mask of sets, which is part of the state's format. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Whether a mask has it. */
  public boolean isIn(int sets) {
    return (sets & bit()) != 0;
  }

  /** Whether a mask has a set that is computed from the samples of a window. */
  static boolean needSamples(int sets) {
    return INTEGRAL.isIn(sets) || COUNTER.isIn(sets);
  }

  /**
   * A mask with the sets that its sets imply: readers go from one window to the next by the last
   * and the first reading, so integral and counter come with these.
   */
  public static int withImplied(int sets) {
    return needSamples(sets) ? sets | FIRST_LAST.bit() : sets;
  }
}
