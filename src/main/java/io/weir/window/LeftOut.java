package io.weir.window;

/** What of a rollup is not emitted, since it would be only a part of the whole. */
public enum LeftOut {
  /** All of it: not all of the sensor's readings in its span are known. */
  ROLLUP,
  /** Statistics that were switched on within its span. */
  STATISTICS
}
