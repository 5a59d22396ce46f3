package io.weir.internal.window;

/** A time span of a sensor. */
interface Span {
  /** Its first millisecond, since the Unix epoch. */
  long startMs();
}
