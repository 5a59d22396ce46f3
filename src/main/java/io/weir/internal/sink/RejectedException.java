package io.weir.internal.sink;

/** A record does not fit its table; weir_sink_rejects has the reason. */
final class RejectedException extends Exception {
  private static final long serialVersionUID = 1;

  /** The reason code. */
  enum Reason {
    /** The value is missing or not a message of its topic. */
    UNDECODABLE,
    /** A text with the character U+0000, which PostgreSQL cannot store. */
    NUL_IN_TEXT,
    /** A key that is too long for an index. */
    KEY_TOO_LONG,
    /** A time before the year 1 or after the year 9999. */
    TIME_OUT_OF_RANGE,
    /** A count of 2^63 or more. */
    COUNT_OUT_OF_RANGE,
    /** A number that JSON does not have: NaN, or an infinite one. */
    NOT_JSON,
    /** The database refused the row: a user's constraint, or a limit. */
    REFUSED_BY_DATABASE
  }

  private final Reason reason;

  RejectedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
