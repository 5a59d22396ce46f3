package io.weir.text;

/** Takes a line apart. */
interface LineSplitter {
  /**
   * Fills the fields, which were cleared, from a line of valid UTF-8.
   *
   * @return why the line cannot be taken apart, or null where it could
   */
  LineReason split(byte[] line, int start, int end, LineFields fields);
}
