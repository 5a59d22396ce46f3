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
  QUALITY;

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
}
