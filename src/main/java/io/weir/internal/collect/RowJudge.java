package io.weir.internal.collect;

import io.weir.internal.collect.Rejected.Reason;
import io.weir.internal.event.EventJudge;
import io.weir.internal.text.EventText;
import io.weir.reading.Quality;
import io.weir.reading.Reading;
import io.weir.reading.ReadingRules;
import io.weir.reading.RejectReason;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Classifies a row as a reading, an event, or neither. It refuses rows that Weir would refuse at
 * any time of arrival. Stateless; any thread may call.
 */
final class RowJudge {
  private static final int WORST_QUALITY = 3;
  private static final int ROOM_BESIDE_EVENT = 1_024;

  private final int maxIdBytes;
  private final int maxEventBytes;
  private final boolean events;

  /** The result for a row. */
  sealed interface Verdict permits ReadingRow, EventRow, Refused {}

  record ReadingRow(Reading reading) implements Verdict {}

  record EventRow(Event event) implements Verdict {
    /** An event with a due time or a cancellation belongs to the scheduled events. */
    Channel channel() {
      return event.getDueMs() != 0 || event.getCancel() ? Channel.SCHEDULED : Channel.EVENTS;
    }
  }

  record Refused(Reason reason, String message) implements Verdict {}

  /**
   * @param maxRecordBytes largest batch in bytes
   * @param events whether events are enabled
   */
  RowJudge(int maxIdBytes, int maxRecordBytes, boolean events) {
    this.maxIdBytes = maxIdBytes;
    this.maxEventBytes =
        Math.min(EventJudge.MAX_BYTES, maxRecordBytes - maxIdBytes - ROOM_BESIDE_EVENT);
    this.events = events;
  }

  Verdict judge(OutboxRow row) {
    boolean event = row.key() != null || row.event() != null || row.eventTooLarge();
    if (event == (row.sensorId() != null)) {
      return new Refused(
          Reason.NEITHER_READING_NOR_EVENT,
          "a reading needs sensor_id, an event needs key and event: set either");
    }
    return event ? event(row) : reading(row);
  }

  private Verdict reading(OutboxRow row) {
    if (row.timestampMs() == null || row.value() == null) {
      return new Refused(Reason.INVALID_READING, "timestamp_ms or value is null");
    }
    int quality = row.quality() == null ? 0 : row.quality();
    if (quality < 0 || quality > WORST_QUALITY) {
      return new Refused(
          Reason.INVALID_READING, "quality must be 1 (good), 2 (uncertain) or 3 (bad)");
    }
    RejectReason reason =
        ReadingRules.refusal(
            utf8Length(row.sensorId()), row.timestampMs(), row.value(), maxIdBytes);
    return reason == null
        ? new ReadingRow(
            new Reading(row.sensorId(), row.timestampMs(), row.value(), Quality.ofNumber(quality)))
        : new Refused(Reason.INVALID_READING, reason.name() + ": " + reason.meaning());
  }

  private Verdict event(OutboxRow row) {
    if (row.eventTooLarge()) {
      return new Refused(
          Reason.EVENT_TOO_LARGE,
          "event has more than "
              + Outbox.MAX_EVENT_TEXT
              + " bytes of text, a number of thousands of digits, or thousands of numbers");
    }
    if (row.key() == null || row.event() == null || row.value() != null || row.quality() != null) {
      return new Refused(
          Reason.INVALID_EVENT, "an event needs key and event, and must not have value or quality");
    }
    if (!events) {
      return new Refused(Reason.EVENTS_ARE_OFF, "weir.events is not true");
    }
    try {
      return event(complete(row, EventText.parse(row.event().getBytes(StandardCharsets.UTF_8))));
    } catch (IOException e) {
      return new Refused(Reason.INVALID_EVENT, firstLine(e));
    }
  }

  private static Event complete(OutboxRow row, Event parsed) throws IOException {
    if (!parsed.getKey().isEmpty() && !parsed.getKey().equals(row.key())) {
      throw new IOException("the key in event differs from the column key");
    }
    long column = row.timestampMs() == null ? 0 : row.timestampMs();
    if (parsed.getTimestampMs() != 0 && column != 0 && parsed.getTimestampMs() != column) {
      throw new IOException("the timestamp_ms in event differs from the column timestamp_ms");
    }
    long expires = row.expiresMs() == null ? 0 : row.expiresMs();
    if (parsed.getExpiresMs() != 0 && expires != 0 && parsed.getExpiresMs() != expires) {
      throw new IOException("the expires_ms in event differs from the column expires_at");
    }
    return parsed.toBuilder()
        .setKey(row.key())
        .setExpiresMs(expires == 0 ? parsed.getExpiresMs() : expires)
        .setTimestampMs(column == 0 ? parsed.getTimestampMs() : column)
        .build();
  }

  private Verdict event(Event event) {
    String wrong = wrong(event);
    if (wrong != null) {
      return new Refused(Reason.INVALID_EVENT, wrong);
    }
    return event.getSerializedSize() > maxEventBytes
        ? new Refused(Reason.EVENT_TOO_LARGE, "it has more than " + maxEventBytes + " bytes")
        : new EventRow(event);
  }

  /** The defect in the words of the judge of batches; null if there is none. */
  private String wrong(Event event) {
    if (event.getKey().isEmpty()) {
      return "key is empty";
    }
    if (isLong(event.getKey())
        || isLong(event.getSubject())
        || isLong(event.getType())
        || isLong(event.getId())) {
      return "key, subject, type or id has more than " + maxIdBytes + " bytes";
    }
    if (event.getFieldsCount() > EventJudge.MAX_FIELDS) {
      return "more than " + EventJudge.MAX_FIELDS + " fields";
    }
    for (Map.Entry<String, Value> field : event.getFieldsMap().entrySet()) {
      if (isLong(field.getKey())) {
        return "the name of a field has more than " + maxIdBytes + " bytes";
      }
      if (field.getValue().hasDoubleValue()
          && !Double.isFinite(field.getValue().getDoubleValue())) {
        return "field " + field.getKey() + " is too large for a double";
      }
    }
    return wrongTime(event);
  }

  private static String wrongTime(Event event) {
    if (event.getCancel()) {
      return null;
    }
    if (event.getDueMs() < 0) {
      return "due_ms is not positive";
    }
    if (event.getEveryMs() != 0 && event.getEveryMs() < EventJudge.MIN_EVERY_MS) {
      return "every_ms must be 0, or " + EventJudge.MIN_EVERY_MS + " or more";
    }
    if (EventJudge.isExpired(event.getExpiresMs(), event.getDueMs())) {
      return "due_ms is after expires_ms";
    }
    boolean mayBeUnset = event.getDueMs() > 0;
    return event.getTimestampMs() < 0 || event.getTimestampMs() == 0 && !mayBeUnset
        ? "timestamp_ms is not positive"
        : null;
  }

  private boolean isLong(String text) {
    return text.length() > maxIdBytes / 3 && utf8Length(text) > maxIdBytes;
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String firstLine(IOException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("not JSON");
  }
}
