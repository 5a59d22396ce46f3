package io.weir.internal.wire;

import com.google.protobuf.ByteString;
import io.weir.internal.event.EventJudge;
import io.weir.internal.event.EventRefusal;
import io.weir.v1.Event;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of events that do not depend on a broker's clock, equal to those of {@link EventJudge}
 * for the same event in a batch.
 */
public final class EventRules {
  private EventRules() {}

  /** Whether it is scheduled or cancels a scheduled event. */
  public static boolean isScheduled(Event event) {
    return event.getDueMs() != 0 || event.getCancel();
  }

  /**
   * Why an event is refused; empty if it is not.
   *
   * @param maxTextBytes longest key, subject, type, id and name of a field, in bytes of UTF-8
   */
  public static Optional<EventRefusal> refusal(Event event, int maxTextBytes) {
    return refusal(event, isScheduled(event), maxTextBytes);
  }

  /**
   * As {@link #refusal(Event, int)}, for the topic that the event goes to.
   *
   * @param scheduled whether it is the topic of scheduled events
   */
  public static Optional<EventRefusal> refusal(Event event, boolean scheduled, int maxTextBytes) {
    return Optional.ofNullable(reason(event, scheduled, maxTextBytes));
  }

  private static EventRefusal reason(Event event, boolean scheduled, int maxTextBytes) {
    if (event.getKey().isEmpty()) {
      return EventRefusal.MISSING_KEY;
    }
    if (hasLongText(event, maxTextBytes)) {
      return EventRefusal.TEXT_TOO_LONG;
    }
    if (event.getFieldsCount() > EventJudge.MAX_FIELDS
        || event.getFieldTimestampsMsCount() > EventJudge.MAX_FIELDS) {
      return EventRefusal.TOO_MANY_FIELDS;
    }
    boolean comes = scheduled && !event.getCancel();
    int more = comes ? EventJudge.COMING_BYTES : 0;
    if (event.getSerializedSize() + more > EventJudge.MAX_BYTES) {
      return EventRefusal.EVENT_TOO_LARGE;
    }
    return scheduled ? scheduled(event) : happened(event);
  }

  private static boolean hasLongText(Event event, int maxTextBytes) {
    return event.getKeyBytes().size() > maxTextBytes
        || event.getSubjectBytes().size() > maxTextBytes
        || event.getTypeBytes().size() > maxTextBytes
        || event.getIdBytes().size() > maxTextBytes
        || hasLongText(event.getFieldsMap().keySet(), maxTextBytes)
        || hasLongText(event.getFieldTimestampsMsMap().keySet(), maxTextBytes);
  }

  private static boolean hasLongText(Set<String> names, int maxTextBytes) {
    return names.stream().anyMatch(name -> ByteString.copyFromUtf8(name).size() > maxTextBytes);
  }

  /** Whether the time of a field is not positive, or later than its event. */
  private static boolean hasInvalidTime(Event event, long eventMs) {
    return event.getFieldTimestampsMsMap().values().stream()
        .anyMatch(ms -> ms <= 0 || ms > eventMs);
  }

  private static EventRefusal happened(Event event) {
    long timestampMs = event.getTimestampMs();
    return timestampMs <= 0 || hasInvalidTime(event, timestampMs)
        ? EventRefusal.INVALID_TIMESTAMP
        : null;
  }

  private static EventRefusal scheduled(Event event) {
    if (event.getCancel()) {
      return null;
    }
    long eventMs = event.getTimestampMs() == 0 ? event.getDueMs() : event.getTimestampMs();
    if (event.getTimestampMs() < 0 || event.getDueMs() > 0 && hasInvalidTime(event, eventMs)) {
      return EventRefusal.INVALID_TIMESTAMP;
    }
    if (event.getDueMs() <= 0) {
      return EventRefusal.INVALID_DUE;
    }
    long everyMs = event.getEveryMs();
    if (everyMs != 0 && everyMs < EventJudge.MIN_EVERY_MS) {
      return EventRefusal.INVALID_EVERY;
    }
    return EventJudge.isExpired(event.getExpiresMs(), event.getDueMs())
        ? EventRefusal.EXPIRED_EVENT
        : null;
  }
}
