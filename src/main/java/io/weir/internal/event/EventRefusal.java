package io.weir.internal.event;

/**
 * Why an event is refused, in the order of the checks: the first that applies is reported. The
 * names are in the dead letters' {@code weir.reason} header; reasons of whole batches are in {@link
 * io.weir.reading.RejectReason}.
 */
public enum EventRefusal {
  MISSING_KEY("key is empty"),
  TEXT_TOO_LONG("key, subject, type, id or the name of a field is longer than 256 bytes"),
  TOO_MANY_FIELDS("the event has more than 1,000 fields, or times of fields"),
  EVENT_TOO_LARGE("the event has more than 262,144 bytes, or will have when it is due"),
  /** Not positive, where it must be. */
  INVALID_TIMESTAMP(
      "timestamp_ms is not positive, or the time of a field is not, or is later than its event"),
  /** On weir.scheduled, later than both. */
  FUTURE_TIMESTAMP(
      "timestamp_ms is later than the append time, or due_ms, by more than max.future.skew"),
  /** Only on weir.scheduled, as the next one. */
  INVALID_DUE("due_ms is not positive, and cancel is not set"),
  INVALID_EVERY("every_ms is neither 0 nor 1,000 or more"),
  /** On weir.scheduled also if it has expired when it is due, or would have. */
  EXPIRED_EVENT("the event arrived after expires_ms"),
  MISROUTED("the key belongs to another partition"),
  /** If the gateway has no entry, its whole batch is refused, as NOT_ITS_SENSOR. */
  NOT_ITS_KEY("weir.gateways.file does not allow the gateway to publish the key"),
  TOO_MANY_TIMERS(
      "too many events, bytes of events or repetitions are scheduled for this key, gateway or"
          + " partition"),
  /** Only for handlers, as the following ones. */
  TOO_MANY_KEYS("too many live keys, or bytes of keys and states, in this partition"),
  TOO_MANY_WAITING("too many events wait for the start of their key"),
  NOT_STARTED("its key was not started within the idle end"),
  HANDLER("a handler threw an exception"),
  HANDLER_RETRY("a handler threw an exception at a timer or an idle end, which comes again");

  private final String meaning;

  EventRefusal(String meaning) {
    this.meaning = meaning;
  }

  /** A description of the reason for operators. */
  public String meaning() {
    return meaning;
  }
}
