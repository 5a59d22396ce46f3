package io.weir.internal.text;

import io.weir.reading.RejectReason;

/**
 * Why a line holds no valid reading, in the order in which the reasons are tried: the first that
 * fits is the one named. What a reading alone is refused for bears the name that it has in {@link
 * RejectReason}; the other names are those of text only.
 */
public enum LineReason {
  /** Longer than the reader's limit; only its beginning is kept. */
  LINE_TOO_LONG,
  /** Not UTF-8, or a JSON text that cannot be written in it (half a surrogate pair). */
  INVALID_UTF8,
  /**
   * Broken quoting, another number of fields than the header's; no JSON object, no line protocol; a
   * field twice.
   */
  MALFORMED_LINE,
  /** A header that names more columns than a table may have. */
  TOO_MANY_COLUMNS,
  /** Empty, JSON null or not there; a tag that the template names and the line has not. */
  MISSING_SENSOR_ID,
  MISSING_TIMESTAMP,
  /** Not an integer of up to 19 digits that fits into 64 bits; no time of the mapping's format. */
  BAD_TIMESTAMP,
  /** A local time that the clock passed over when it was put forward. */
  NONEXISTENT_TIME,
  /** A local time that was there twice when the clock was put back, and nobody said which. */
  AMBIGUOUS_TIME,
  MISSING_VALUE,
  /**
   * Neither a decimal number nor a word for what is not finite; a line with nothing but strings.
   */
  NON_NUMERIC,
  /** Neither a quality's name nor its number. */
  BAD_QUALITY,
  SENSOR_ID_TOO_LONG,
  /** NaN, infinite, or so large that as a double it would be. */
  INVALID_VALUE,
  /** Not positive. */
  INVALID_TIMESTAMP,
  /** Further ahead of the clock than allowed; only where the reader looks at it, as replay does. */
  FUTURE_TIMESTAMP;

  /**
   * The reason of the same name.
   *
   * @throws IllegalArgumentException for one that no reading is refused for by itself
   */
  static LineReason of(RejectReason reason) {
    return valueOf(reason.name());
  }
}
