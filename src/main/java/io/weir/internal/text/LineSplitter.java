package io.weir.internal.text;

import java.util.Optional;

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

  /** The reason that says more, where this one knows more than the fields show. */
  default LineReason refine(LineReason reason) {
    return reason;
  }

  /** What helps where lines were refused, if that is known; one line. */
  default Optional<String> remedy() {
    return Optional.empty();
  }

  /** How many texts among numbers were passed over, so far. */
  default long passedOver() {
    return 0;
  }

  /** How many places for a value had none and were passed over, so far. */
  default long withoutValue() {
    return 0;
  }
}
