package io.weir.edge;

/** What becomes of several readings of one sensor at one timestamp that wait in one batch. */
public enum Folding {
  /** All are sent. */
  OFF,
  /**
   * The last one offered is sent in the place of the first. Those before it count as accepted and
   * are acknowledged with it. Readings that already left with an earlier batch are not touched.
   */
  LAST_OF_SENSOR_AND_TIMESTAMP
}
