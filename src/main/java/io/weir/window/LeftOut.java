package io.weir.window;

/** What of a longer span is not emitted, since it would be only a part of the whole. */
public enum LeftOut {
  /** All of a rollup: not all of the sensor's readings in its span are known. */
  ROLLUP,
  /** Statistics of a rollup that were switched on within its span. */
  STATISTICS,
  /** All of a hopping window. */
  HOP,
  /** Statistics of a hopping window. */
  HOP_STATISTICS
}
