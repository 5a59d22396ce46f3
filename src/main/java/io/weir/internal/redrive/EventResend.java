package io.weir.internal.redrive;

import io.weir.internal.event.EventRefusal;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Fnv1a;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Determines the batches to send again for a dead letter of events: its events, for the partitions
 * of their keys, without boot id and sequence, because their batch was applied. One thread.
 */
final class EventResend {
  /** Events that would be refused again, whatever was repaired. */
  private static final Set<EventRefusal> INVALID =
      EnumSet.of(
          EventRefusal.MISSING_KEY,
          EventRefusal.TEXT_TOO_LONG,
          EventRefusal.TOO_MANY_FIELDS,
          EventRefusal.EVENT_TOO_LARGE,
          EventRefusal.INVALID_TIMESTAMP,
          EventRefusal.INVALID_DUE,
          EventRefusal.INVALID_EVERY);

  private final RecordFilter filter;

  /**
   * @param filter expired events are sent only if it names their reason
   */
  EventResend(RecordFilter filter) {
    this.filter = filter;
  }

  /**
   * The batches to send for a dead letter.
   *
   * @param room maximum bytes of a batch
   */
  Resend open(RedriveRecord record, int room) {
    Optional<EventRefusal> reason = reason(record);
    if (reason.isEmpty()) {
      return Resend.none(ResendOutcome.WHOLE_BATCH);
    }
    if (reason.get() == EventRefusal.HANDLER_RETRY) {
      return Resend.none(ResendOutcome.COMES_AGAIN);
    }
    boolean expired = reason.get() == EventRefusal.EXPIRED_EVENT;
    if (expired && !filter.reasons().contains(EventRefusal.EXPIRED_EVENT)) {
      return Resend.none(ResendOutcome.EXPIRED);
    }
    if (INVALID.contains(reason.get())) {
      return Resend.none(ResendOutcome.STILL_REFUSED);
    }
    if (record.isCut()) {
      return Resend.none(ResendOutcome.CUT);
    }
    try {
      return parts(
          Protobuf.read(EventBatch.getDefaultInstance(), record.value()),
          record.gateway(),
          expired,
          room);
    } catch (UndecodableException e) {
      return Resend.none(ResendOutcome.UNDECODABLE);
    }
  }

  private static Optional<EventRefusal> reason(RedriveRecord record) {
    return Stream.of(EventRefusal.values())
        .filter(reason -> reason.name().equals(record.reasonName()))
        .findFirst();
  }

  private static Resend parts(
      EventBatch refused, Optional<String> gateway, boolean expired, int room) {
    Map<Integer, EventBatch.Builder> byPartition = new TreeMap<>();
    for (Event event : refused.getEventsList()) {
      // It would expire again.
      Event sent = expired ? event.toBuilder().clearExpiresMs().build() : event;
      byPartition
          .computeIfAbsent(
              SensorPartition.ofHash(Fnv1a.hash(event.getKey())),
              any -> EventBatch.newBuilder().setGatewayId(gateway.orElse("")))
          .addEvents(sent);
    }
    List<Resend.Batch> batches = new ArrayList<>();
    for (Map.Entry<Integer, EventBatch.Builder> part : byPartition.entrySet()) {
      byte[] value = part.getValue().build().toByteArray();
      if (value.length > room) {
        return Resend.none(ResendOutcome.TOO_LARGE);
      }
      batches.add(new Resend.Batch(part.getKey(), value));
    }
    byte[] key = gateway.orElse("").getBytes(StandardCharsets.UTF_8);
    return new Resend(ResendOutcome.SENT, key, batches, refused.getEventsCount(), 0, 0, 0);
  }
}
