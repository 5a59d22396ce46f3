package io.weir.sink;

/** A record has no place in its table, for a reason that is in weir_sink_rejects. */
final class RejectedException extends Exception {
  private static final long serialVersionUID = 1;

  /** Why, in a word to select and to count by. */
  enum Reason {
    /** The value is no message of its topic, or there is none. */
    UNDECODABLE,
    /** A text with the character U+0000, which PostgreSQL cannot hold. */
    NUL_IN_TEXT,
    /** A key longer than an index holds. */
    KEY_TOO_LONG,
    /** A time before the year 1 or after the year 9999. */
    TIME_OUT_OF_RANGE,
    /** A count of 2^63 or more. */
    COUNT_OUT_OF_RANGE,
    /** A number that JSON does not have: NaN, or an infinite one. */
    NOT_JSON,
    /** The database itself refused the row: a constraint that a user added, or a limit. */
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
