package io.weir.keyed;

import io.weir.v1.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serde;

/**
 * A key during one call of its {@link KeyHandler}: its state, its timers, its outputs and the time.
 *
 * <p>It is valid only during its call and in the thread of that call. Otherwise its methods throw
 * {@link IllegalStateException} and have no effect: store the key's name, not this object.
 *
 * <p>Changes take effect after the call has returned. If the call throws an exception, none of them
 * takes effect. Within the call, {@link #state()} returns the state that was set last. Methods
 * throw {@link IllegalArgumentException} or {@link IllegalStateException} for invalid requests; if
 * the handler does not catch them, the call fails.
 */
public interface KeyContext {
  /** Maximum size of a key's state, in bytes. */
  int MAX_STATE_BYTES = 900_000;

  /** Maximum number of records that one call emits. */
  int MAX_CALL_RECORDS = 10_000;

  /** Maximum size, in bytes, of the keys and values that one call emits. */
  int MAX_CALL_BYTES = 64 << 20;

  /** The key. */
  String key();

  /** A copy of the key's state, or null if it has none. */
  byte[] state();

  /**
   * Replaces the key's state.
   *
   * @param state up to {@value #MAX_STATE_BYTES} bytes, or null to delete the state; copied
   * @throws IllegalArgumentException if it is larger
   */
  void setState(byte[] state);

  /**
   * The key's state as an object, or null if it has none. An exception of the serde counts as an
   * exception of the handler, so the serde of a new version must be able to read the state that the
   * old version wrote.
   */
  <T> T state(Serde<T> serde);

  /**
   * Replaces the key's state with an object; null deletes it.
   *
   * @throws IllegalArgumentException if it has more than {@value #MAX_STATE_BYTES} bytes
   */
  <T> void setState(Serde<T> serde, T state);

  /**
   * Schedules an event for this key, a duration after {@link #now()}; see {@link #schedule(String,
   * Instant, Event)}.
   *
   * @param in 0 or negative: immediately
   */
  void schedule(String id, Duration in, Event event);

  /**
   * Schedules an event for this key. It is passed to {@link KeyHandler#timer}, which by default
   * passes it to {@link KeyHandler#event}, with the first record of the partition that was appended
   * at or after the time: never early, and within a second while the application has no lag. It is
   * handled exactly once, also after a crash and if no process ran at its time. Only if its call
   * fails, it is retried. An event that is due in the past is handled right after the current
   * record.
   *
   * <p>A later event with the same id replaces it. When the key ends, its scheduled events are
   * deleted.
   *
   * @param id identifies it among the events of this key; up to 256 bytes of UTF-8, may be empty
   * @param event up to 256 KiB; its {@code key} is empty or this key, {@code cancel} is not set;
   *     with {@code every_ms}, 1,000 or more, it repeats. This method sets {@code id} and {@code
   *     due_ms}, and sets {@code timestamp_ms}, if it is 0, to the due time
   * @throws IllegalArgumentException if the event or the id is invalid
   * @throws IllegalStateException at the end of a key. The call fails when it returns if a key then
   *     has more than 10,000 events or 16 MiB scheduled, or a partition more than 1,000,000 or 256
   *     MiB
   */
  void schedule(String id, Instant at, Event event);

  /**
   * Schedules a timer without an event, a duration after {@link #now()}: {@link KeyHandler#timer}
   * is called with its id. It shares its ids with scheduled events.
   *
   * @param in 0 or negative: immediately
   */
  default void schedule(String id, Duration in) {
    schedule(id, in, Event.getDefaultInstance());
  }

  /** Schedules a timer without an event; see {@link #schedule(String, Duration)}. */
  default void schedule(String id, Instant at) {
    schedule(id, at, Event.getDefaultInstance());
  }

  /**
   * Schedules a timer that repeats until it is cancelled or replaced, or the key ends. Times that
   * passed while no process ran come once; {@code missed} of {@link #timerEvent()} counts the
   * others.
   *
   * @param in the first time, after {@link #now()}
   * @param every 1 s or more
   */
  default void schedule(String id, Duration in, Duration every) {
    schedule(id, in, Event.newBuilder().setEveryMs(every.toMillis()).build());
  }

  /** Cancels the event or timer that was scheduled under an id, if there is one. */
  void cancel(String id);

  /**
   * The timers of the key, scheduled events included, by id, with the times at which they are due;
   * as this call has changed them. Of the timer at hand only the repetition is among them. Costs a
   * look at each timer of the key.
   */
  SortedMap<String, Instant> timers();

  /**
   * In {@link KeyHandler#timer} the event of the timer, with {@code id}, {@code due_ms} and, of one
   * that repeats, {@code missed}; null in other calls.
   */
  Event timerEvent();

  /**
   * Writes a record to a topic, in the transaction of the event.
   *
   * @param topic declared with {@link KeyedApplication.Builder#output}
   * @param key an argument of the topic's key serializer; null for none, which a compacted topic
   *     rejects
   * @param value an argument of the topic's value serializer; null for a tombstone
   * @throws IllegalArgumentException if the topic is not declared, the record is larger than the
   *     topic's limit, or the call has more than {@value #MAX_CALL_RECORDS} records or {@value
   *     #MAX_CALL_BYTES} bytes
   */
  void emit(String topic, Object key, Object value);

  /**
   * The same with headers, or with a partition of the caller's choice.
   *
   * @param record its timestamp is null; a null partition is chosen by Kafka's default partitioner.
   *     Its headers are copied
   * @throws IllegalArgumentException as above, and for a partition that the topic did not have at
   *     the start, or a header whose name begins with {@code weir.} or {@code __streams.errors.}
   */
  void emit(ProducerRecord<?, ?> record);

  /**
   * Sends an event to its key: to the application's topic of events, in the partition of the key,
   * in the transaction of the call. Each application that reads the topic handles it once. The
   * batch's gateway is {@code weir/<application id>/<partition>}.
   *
   * @param event up to 256 KiB, with a {@code key}; {@code timestamp_ms}, if it is 0, is set to
   *     {@link #now()}
   * @throws IllegalArgumentException if it is invalid
   */
  void send(Event event);

  /**
   * As {@link #send}, at a time: {@code weir events} holds it and then writes it to the topic of
   * events. Another one of the same key and {@code id} replaces it, one with {@code cancel} removes
   * it; with {@code every_ms} it repeats.
   *
   * @param dueMs milliseconds since the Unix epoch, in the past: immediately
   * @throws IllegalArgumentException if the event is invalid
   */
  void sendAt(Event event, long dueMs);

  /**
   * The position of the event that is handled, also in the start before it and the end after it:
   * the same at each attempt, after each crash, and different for each event. A redriven event has
   * a new one. Null in calls of timers and idle ends; a timer has its key, id and due time.
   */
  EventOrigin origin();

  /**
   * The append time of the current record, by the broker's clock. It is the same if the record is
   * reprocessed after a crash; base decisions on no other clock.
   */
  Instant now();

  /** The append time of the record that started the key. */
  Instant startedAt();
}
