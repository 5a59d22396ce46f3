package io.weir.internal.collect;

/**
 * A row that is not sent.
 *
 * @param message the cause
 */
record Rejected(OutboxRow row, Reason reason, String message) {
  /** The reason. The names are in weir_outbox_rejects. */
  enum Reason {
    NEITHER_READING_NOR_EVENT,
    INVALID_READING,
    INVALID_EVENT,
    EVENT_TOO_LARGE,
    EVENTS_ARE_OFF
  }
}
