package io.weir.window;

/** A piece of a sensor's time. */
interface Span {
  /** Its first millisecond, since the Unix epoch. */
  long startMs();
}
