package io.weir.edge;

/** How readings of a pending batch with the same sensor and timestamp are combined. */
public enum Folding {
  /** All are sent. */
  OFF,
  /**
   * The last one replaces the others. They count as accepted and are acknowledged with it. Readings
   * in batches that were already sent are not affected.
   */
  LAST_OF_SENSOR_AND_TIMESTAMP
}
