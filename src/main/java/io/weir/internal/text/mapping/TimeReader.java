package io.weir.internal.text.mapping;

import java.util.Optional;

/** Reads times as text. Holds the last one read; one thread. */
public interface TimeReader {
  /** What became of a text. */
  enum Outcome {
    READ,
    /** Not a time of this format. */
    BAD,
    /** A local time that the clock passed over when it was put forward. */
    NONEXISTENT,
    /** A local time that was there twice when the clock was put back. */
    AMBIGUOUS
  }

  /**
   * Reads a text.
   *
   * @param series whose times are in an order of their own, such as the sensor's id
   */
  Outcome read(String text, String series);

  /** What helps where a time could not be read, if that is known. */
  default Optional<String> remedy() {
    return Optional.empty();
  }

  /** Milliseconds since the Unix epoch of the text that was read last. */
  long millis();
}
