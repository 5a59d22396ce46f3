package io.weir.internal.topology;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.RejectReason;
import io.weir.v1.EventBatch;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** The way of refused events to the dead letters, inside the task's transaction. */
public final class EventDeadLetters {
  /** Sends a record to the dead letters, within the task's transaction. */
  @FunctionalInterface
  public interface Way {
    void send(byte[] key, byte[] value, long atMs, Headers headers);
  }

  private final Way way;
  private final String application;
  private final SizeGuard guard;
  private final ValueFormat.Writer writer;
  private final EventBatchEncoder encoder = new EventBatchEncoder();

  EventDeadLetters(
      ProcessorContext<byte[], Outgoing> context, String sink, EventSettings settings) {
    this(
        (key, value, atMs, headers) ->
            context.forward(
                new Record<>(key, new Outgoing(context.taskId().partition(), value), atMs, headers),
                sink),
        context.applicationId(),
        settings);
  }

  /**
   * @param application id of the application that refuses the events
   */
  public EventDeadLetters(Way way, String application, EventSettings settings) {
    this.way = way;
    this.application = application;
    this.guard = new SizeGuard(settings.maxDeadLetterBytes());
    // Bare, also with a registry: the subject of the dead letters has the schema of readings.
    this.writer =
        ValueFormat.BARE.writer(settings.topics().deadLetters(), EventBatch.getDefaultInstance());
  }

  /**
   * Sends on what is no batch at all, as it was received.
   *
   * @param claimed the gateway that it names, where it was understood so far
   */
  void undecodable(
      Record<byte[], byte[]> record,
      Origin origin,
      UndecodableException why,
      Optional<String> claimed,
      long atMs) {
    Headers headers = OutputSinks.received(record.headers(), origin);
    describe(headers, why.reason().name(), why.getClass(), why.getMessage());
    claimed.ifPresent(
        gateway -> DeadLetterHeaders.add(headers, DeadLetterHeaders.GATEWAY, gateway));
    asReceived(record, headers, atMs);
  }

  /** Sends on a batch that is refused as a whole, as it was received. */
  void refused(
      Record<byte[], byte[]> record,
      Origin origin,
      EventColumns batch,
      RejectReason reason,
      long atMs) {
    Headers headers = OutputSinks.received(record.headers(), origin);
    describe(headers, reason.name(), RejectReason.class, reason.meaning());
    DeadLetterHeaders.addBatch(headers, batch.gatewayId(), batch.bootId(), batch.sequence());
    asReceived(record, headers, atMs);
  }

  private void asReceived(Record<byte[], byte[]> record, Headers headers, long atMs) {
    SizeGuard.Fitting fitting = guard.fit(record.key(), record.value(), headers);
    send(fitting, headers, atMs);
  }

  /**
   * Sends on the events of a batch that are refused for one reason, without boot and sequence.
   *
   * @return how many
   */
  int rejected(
      Record<byte[], byte[]> record,
      Origin origin,
      EventColumns batch,
      EventRefusal reason,
      long atMs) {
    Headers headers = DeadLetterHeaders.of(origin);
    DeadLetterHeaders.addRedrive(headers, record.headers());
    describe(headers, reason.name(), EventRefusal.class, reason.meaning());
    DeadLetterHeaders.addBatch(headers, batch.gatewayId(), batch.bootId(), batch.sequence());
    int room = guard.roomForValue(record.key(), headers) - writer.mostAddedBytes();
    int events = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.refusal(i) == reason) {
        flushIfFull(batch.messageLength(i), room, record, headers, atMs);
        encoder.add(batch, i);
        events++;
      }
    }
    if (encoder.events() > 0) {
      flush(record, headers, atMs);
    }
    return events;
  }

  /**
   * Sends on one event of a record for a reason, without boot and sequence.
   *
   * @param gateway that sent it, which a redrive sends it for; empty if none did
   * @param event as protobuf
   * @param message what happened, for its reader
   */
  public void event(
      Record<byte[], byte[]> record,
      Origin origin,
      String gateway,
      byte[] event,
      EventRefusal reason,
      Class<?> type,
      String message,
      long atMs) {
    Headers headers = DeadLetterHeaders.of(origin);
    DeadLetterHeaders.addRedrive(headers, record.headers());
    some(record, headers, gateway, List.of(event), reason, type, message, atMs);
  }

  /**
   * As {@link #event}, for events that the state held until a record came: whether that record was
   * redriven says nothing of them. As many as fit are in one dead letter.
   */
  public void held(
      Record<byte[], byte[]> record,
      Origin origin,
      String gateway,
      List<byte[]> events,
      EventRefusal reason,
      Class<?> type,
      String message,
      long atMs) {
    some(record, DeadLetterHeaders.of(origin), gateway, events, reason, type, message, atMs);
  }

  private void some(
      Record<byte[], byte[]> record,
      Headers headers,
      String gateway,
      List<byte[]> events,
      EventRefusal reason,
      Class<?> type,
      String message,
      long atMs) {
    describe(headers, reason.name(), type, message);
    if (!gateway.isEmpty()) {
      DeadLetterHeaders.add(headers, DeadLetterHeaders.GATEWAY, gateway);
    }
    int room = guard.roomForValue(record.key(), headers) - writer.mostAddedBytes();
    for (byte[] event : events) {
      flushIfFull(event.length, room, record, headers, atMs);
      encoder.add(event);
    }
    flush(record, headers, atMs);
  }

  private void flushIfFull(
      int nextBytes, int room, Record<byte[], byte[]> record, Headers headers, long atMs) {
    if (encoder.events() > 0 && encoder.size() + nextBytes + 16 > room) {
      flush(record, headers, atMs);
    }
  }

  private void flush(Record<byte[], byte[]> record, Headers headers, long atMs) {
    Headers own = new RecordHeaders(headers);
    byte[] value = writer.write(encoder.take(), own);
    send(guard.fit(record.key(), value, own), own, atMs);
  }

  private void send(SizeGuard.Fitting fitting, Headers headers, long atMs) {
    way.send(fitting.key(), fitting.value(), atMs, headers);
  }

  private void describe(Headers headers, String reason, Class<?> type, String message) {
    DeadLetterHeaders.add(headers, DeadLetterHeaders.EXCEPTION, type.getName());
    DeadLetterHeaders.add(headers, DeadLetterHeaders.MESSAGE, message);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.APPLICATION, application);
  }
}
