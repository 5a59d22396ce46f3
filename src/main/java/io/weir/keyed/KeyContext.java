package io.weir.keyed;

import io.weir.v1.Event;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.serialization.Serde;

/**
 * A key during one call of its {@link KeyHandler}: its state, its timers, the ways out, the time.
 *
 * <p>It is valid during the call that it was given to and in that call's thread. Anywhere else its
 * methods throw {@link IllegalStateException} and do nothing: keep the key's name, not this object.
 *
 * <p>What is done through it takes effect once the call has returned, all of it or, where the call
 * throws an exception, nothing. Within the call the state reads as it was set. Methods throw {@link
 * IllegalArgumentException} or {@link IllegalStateException} for what cannot be done; a handler
 * that does not catch them fails like one that throws itself.
 */
public interface KeyContext {
  /** Largest state of a key. */
  int MAX_STATE_BYTES = 900_000;

  /** Most records that one call emits. */
  int MAX_CALL_RECORDS = 10_000;

  /** Most bytes of keys and values that one call emits. */
  int MAX_CALL_BYTES = 64 << 20;

  /** The key. */
  String key();

  /** What the key's handler has kept; null where there is nothing. A copy. */
  byte[] state();

  /**
   * Keeps something for the key, in place of what was kept.
   *
   * @param state up to {@value #MAX_STATE_BYTES} bytes, or null for nothing; copied
   * @throws IllegalArgumentException if it is larger
   */
  void setState(byte[] state);

  /**
   * What the key's handler has kept, as an object; null where there is nothing. Whatever a serde
   * throws that cannot read what another version has kept, is the handler's exception: let a new
   * version's serde read what the old one wrote.
   */
  <T> T state(Serde<T> serde);

  /**
   * Keeps an object for the key, in place of what was kept; null for nothing.
   *
   * @throws IllegalArgumentException if it has more than {@value #MAX_STATE_BYTES} bytes
   */
  <T> void setState(Serde<T> serde, T state);

  /**
   * Schedules an event for this key, after a time counted from {@link #now()}; see {@link
   * #schedule(String, Instant, Event)}.
   *
   * @param in 0 or less: at once
   */
  void schedule(String id, Duration in, Event event);

  /**
   * Schedules an event for this key: it comes to {@link KeyHandler#event} with the first record of
   * the partition that was appended at or after the time, so never early, and while the application
   * keeps up within a second of it. It comes once, through any crash, also if no process was there
   * at its time; only where its call fails it comes again. What is due in the past comes as soon as
   * the record at hand is done.
   *
   * <p>Another one with the same id takes its place. When the key ends, all are taken away.
   *
   * @param id names it among those of this key; up to 256 bytes of UTF-8, may be empty
   * @param event its {@code key} empty or this one's; {@code every_ms} and {@code cancel} not set.
   *     {@code id} and {@code due_ms} are set here, and {@code timestamp_ms}, if it is 0, to the
   *     time at which it is due. Up to 256 KiB
   * @throws IllegalArgumentException if the event or the id is not as it must be
   * @throws IllegalStateException at the end of a key. Beyond 10,000 or 16 MiB of a key, or
   *     1,000,000 or 256 MiB of a partition, the call fails when it returns
   */
  void schedule(String id, Instant at, Event event);

  /** Takes away what was scheduled under an id; does nothing where there is none. */
  void cancel(String id);

  /**
   * Writes a record to a topic, in the transaction of the event.
   *
   * @param topic declared with {@link KeyedApplication.Builder#output}
   * @param key what the topic's serializer for keys takes; null for none, which a compacted topic
   *     does not take
   * @param value what the topic's serializer for values takes; null for a tombstone
   * @throws IllegalArgumentException if the topic is not declared, the record is larger than the
   *     topic takes, or a call has more than {@value #MAX_CALL_RECORDS} records or {@value
   *     #MAX_CALL_BYTES} bytes
   */
  void emit(String topic, Object key, Object value);

  /**
   * The time: when the record at hand was appended, by the broker's clock. The same when it is
   * handled again after a crash; use no other clock to decide.
   */
  Instant now();

  /** When the record that began the key's life was appended. */
  Instant startedAt();
}
