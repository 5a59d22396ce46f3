package io.weir.internal.text;

import io.weir.reading.Reading;

/** What one physical line turned out to be; one of line protocol may be several readings. */
public sealed interface TextLine {
  /** Where it is: physical lines of the whole input, headers and empty ones included, from 1. */
  long lineNo();

  /** A reading of a line, accepted as far as a reading alone can be. */
  record Good(long lineNo, Reading reading) implements TextLine {}

  /**
   * A line without.
   *
   * @param file the file's name as it was given
   * @param reason the first one that fits
   * @param line its bytes as they were, without LF or CRLF; the beginning of a line that is too
   *     long
   */
  record Bad(String file, long lineNo, LineReason reason, byte[] line) implements TextLine {}
}
