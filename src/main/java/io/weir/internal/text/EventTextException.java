package io.weir.internal.text;

import java.io.IOException;

/** That a line is no event, and why: in one word for programs, and in a few for people. */
public final class EventTextException extends IOException {
  private static final long serialVersionUID = 1;

  /** Why a line is no event. */
  public enum Reason {
    /** No JSON object of the kind. */
    MALFORMED_LINE,
    /** A field of a name that no event has. */
    UNKNOWN_FIELD,
    /** A name twice in one object. */
    DUPLICATE_FIELD,
    /** More fields than an event has, or times of fields. */
    TOO_MANY_FIELDS,
    /** A number that would become infinite or zero, or lose digits. */
    NUMBER_OUT_OF_RANGE,
    /** {@code every_ms} without {@code due_ms}. */
    INVALID_DUE
  }

  private final Reason reason;

  EventTextException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The reason in one word. */
  public Reason reason() {
    return reason;
  }
}
