package io.weir.text.mapping;

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

  Outcome read(String text);

  /** Milliseconds since the Unix epoch of the text that was read last. */
  long millis();
}
