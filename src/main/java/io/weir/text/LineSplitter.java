package io.weir.text;

/** Takes a line apart. */
interface LineSplitter {
  /**
   * Fills the fields, which were cleared, from a line of valid UTF-8: those of its first reading.
   *
   * @return why the line cannot be taken apart, or null where it could
   */
  LineReason split(byte[] line, int start, int end, LineFields fields);

  /** Fills the fields with those of the line's next reading; false where it has no more. */
  default boolean next(LineFields fields) {
    return false;
  }

  /** Whether the line, which is not empty, says nothing at all. */
  default boolean isSilent(byte[] line, int start, int end) {
    return false;
  }
}
