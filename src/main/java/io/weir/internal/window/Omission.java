package io.weir.internal.window;

/** A part of a longer span that is not emitted because it would be incomplete. */
public enum Omission {
  /** A whole rollup: not all of the sensor's readings in its span are known. */
  ROLLUP,
  /** Statistics of a rollup that were enabled within its span. */
  STATISTICS,
  /** A whole hopping window. */
  HOP,
  /** Statistics of a hopping window. */
  HOP_STATISTICS
}
