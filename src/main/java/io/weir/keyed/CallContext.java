package io.weir.keyed;

import io.weir.internal.event.EventJudge;
import io.weir.internal.event.LiveKey;
import io.weir.internal.event.Timer;
import io.weir.internal.text.Printable;
import io.weir.internal.text.Utf8;
import io.weir.internal.topology.KeyedMeasures.Call;
import io.weir.internal.wire.EventRules;
import io.weir.keyed.Output.Emitted;
import io.weir.v1.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serde;

/** One call of a handler. It collects the effects of the call until the call returns. */
final class CallContext implements KeyContext {
  /** A timer to be scheduled. */
  record Scheduled(long dueMs, boolean hasTimestamp, byte[] event, long inMs) {}

  /** Marks a timer that is to be cancelled. */
  static final Scheduled CANCELLED = new Scheduled(0, false, null, 0);

  private static final int MAX_ID_BYTES = 256;
  private static final long MAX_EVERY_MS = Duration.ofDays(36_500).toMillis();

  private final Thread thread = Thread.currentThread();
  private final LiveKey key;
  private final String name;
  private final Call call;
  private final byte[] stateBefore;
  private final long nowMs;
  private final Outputs outputs;
  private final EventOrigin origin;
  private Event timerEvent;
  private long repeatsAtMs;
  private boolean isOver;
  private boolean hasNewState;
  private byte[] newState;
  private Map<String, Scheduled> ordered = Map.of();
  private List<Emitted> emitted = List.of();
  private long emittedBytes;

  /**
   * @param state of the key before the call, or null
   * @param origin of the event, or null
   */
  CallContext(
      LiveKey key,
      String name,
      Call call,
      byte[] state,
      long nowMs,
      Outputs outputs,
      EventOrigin origin) {
    this.key = key;
    this.name = name;
    this.call = call;
    this.stateBefore = state;
    this.nowMs = nowMs;
    this.outputs = outputs;
    this.origin = origin;
  }

  /**
   * The call is of a timer.
   *
   * @param event its event
   * @param nextMs when it is due again; 0 for never
   */
  CallContext ofTimer(Event event, long nextMs) {
    timerEvent = event;
    repeatsAtMs = nextMs;
    return this;
  }

  /** The call has returned or thrown: all further use by the handler throws. */
  void end() {
    isOver = true;
  }

  Call call() {
    return call;
  }

  /** The key, also after the call. */
  String keyName() {
    return name;
  }

  /** Names the call and its key, for messages. */
  String describe() {
    return "the handler's %s of key %s"
        .formatted(call.name().toLowerCase(Locale.ROOT), Printable.line(name));
  }

  boolean hasNewState() {
    return hasNewState;
  }

  /** The state that the call has set, else the state before the call; null for none. */
  byte[] currentState() {
    return hasNewState ? newState : stateBefore;
  }

  /** The timers that the call scheduled or cancelled, by id, in the order of its requests. */
  Map<String, Scheduled> ordered() {
    return ordered;
  }

  List<Emitted> emitted() {
    return emitted;
  }

  private void requireCall() {
    if (isOver) {
      throw new IllegalStateException(
          "the KeyContext of key " + name + " was used after its call had ended");
    }
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "the KeyContext of key " + name + " was used outside the thread of its call");
    }
  }

  private void requireLife() {
    requireCall();
    if (call == Call.END) {
      throw new IllegalStateException(
          "key " + name + " has ended: it can neither keep state nor schedule events");
    }
  }

  @Override
  public String key() {
    requireCall();
    return name;
  }

  @Override
  public byte[] state() {
    requireCall();
    byte[] state = currentState();
    return state == null ? null : state.clone();
  }

  @Override
  public void setState(byte[] state) {
    keep(state == null ? null : state.clone());
  }

  private void keep(byte[] state) {
    requireLife();
    if (state != null && state.length > MAX_STATE_BYTES) {
      throw new IllegalArgumentException(
          "a state of %d bytes; expected: at most %d".formatted(state.length, MAX_STATE_BYTES));
    }
    hasNewState = true;
    newState = state;
  }

  @Override
  public <T> T state(Serde<T> serde) {
    byte[] state = state();
    return state == null ? null : serde.deserializer().deserialize(outputs.stateTopic(), state);
  }

  @Override
  public <T> void setState(Serde<T> serde, T state) {
    requireLife();
    // The array is copied: some serializers reuse theirs.
    setState(state == null ? null : serde.serializer().serialize(outputs.stateTopic(), state));
  }

  @Override
  public void schedule(String id, Duration in, Event event) {
    requireLife();
    Instant at;
    try {
      at = now().plus(in);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("due after " + in + ": outside the range of times", e);
    }
    schedule(id, at, event, true);
  }

  @Override
  public void schedule(String id, Instant at, Event event) {
    schedule(id, at, event, false);
  }

  /**
   * @param relative whether it waits for a duration, and not for a time
   */
  private void schedule(String id, Instant at, Event event, boolean relative) {
    requireLife();
    requireId(id);
    if (!event.getKey().isEmpty() && !event.getKey().equals(name)) {
      throw new IllegalArgumentException(
          "an event of key " + event.getKey() + ", scheduled by key " + name);
    }
    long everyMs = event.getEveryMs();
    if (everyMs != 0 && (everyMs < EventJudge.MIN_EVERY_MS || everyMs > MAX_EVERY_MS)) {
      throw new IllegalArgumentException(
          "every %d ms; expected: 1 s to 36,500 days".formatted(everyMs));
    }
    if (event.getCancel()) {
      throw new IllegalArgumentException("cancel is for weir.scheduled: call cancel(id)");
    }
    long dueMs = dueMs(at);
    Event.Builder due = event.toBuilder().setKey(name).setId(id).setDueMs(dueMs);
    if (event.getTimestampMs() == 0) {
      due.setTimestampMs(dueMs);
    }
    byte[] bytes = due.build().toByteArray();
    if (bytes.length > EventJudge.MAX_BYTES) {
      throw new IllegalArgumentException(
          "an event of %d bytes; expected: at most %d"
              .formatted(bytes.length, EventJudge.MAX_BYTES));
    }
    long inMs = relative ? Math.max(0, dueMs - now().toEpochMilli()) : 0;
    order(id, new Scheduled(dueMs, event.getTimestampMs() != 0, bytes, inMs));
  }

  /** Rounded up to a millisecond; at least 1 ms after the epoch. */
  private static long dueMs(Instant at) {
    try {
      return Math.max(
          1, at.getNano() % 1_000_000 == 0 ? at.toEpochMilli() : at.plusMillis(1).toEpochMilli());
    } catch (ArithmeticException | java.time.DateTimeException e) {
      throw new IllegalArgumentException("due at " + at + ": outside the range of times", e);
    }
  }

  private static void requireId(String id) {
    requireText(id);
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_ID_BYTES) {
      throw new IllegalArgumentException(
          "an id of %d bytes; expected: at most %d".formatted(bytes, MAX_ID_BYTES));
    }
  }

  private void order(String id, Scheduled order) {
    if (ordered.isEmpty()) {
      ordered = new LinkedHashMap<>(4);
    }
    ordered.remove(id); // Timers due at the same time keep the order of the calls.
    ordered.put(id, order);
  }

  @Override
  public void cancel(String id) {
    requireLife();
    requireId(id);
    order(id, CANCELLED);
  }

  @Override
  public SortedMap<String, Instant> timers() {
    requireCall();
    SortedMap<String, Instant> due = new TreeMap<>();
    for (Timer timer : key.timers()) {
      if (!timer.isRetry()) {
        due.put(timer.id(), Instant.ofEpochMilli(timer.dueMs()));
      }
    }
    if (repeatsAtMs > 0) {
      due.put(timerEvent.getId(), Instant.ofEpochMilli(repeatsAtMs));
    }
    ordered.forEach(
        (id, order) -> {
          if (order == CANCELLED) {
            due.remove(id);
          } else {
            due.put(id, Instant.ofEpochMilli(order.dueMs()));
          }
        });
    return due;
  }

  @Override
  public Event timerEvent() {
    requireCall();
    return timerEvent;
  }

  @Override
  public void emit(String topic, Object outKey, Object value) {
    requireCall();
    emit(outputs.of(topic).serialize(new ProducerRecord<>(topic, outKey, value)));
  }

  @Override
  public void emit(ProducerRecord<?, ?> record) {
    requireCall();
    emit(outputs.of(record.topic()).serialize(record));
  }

  private void emit(Emitted record) {
    emittedBytes += record.bytes();
    if (emitted.size() >= MAX_CALL_RECORDS || emittedBytes > MAX_CALL_BYTES) {
      throw new IllegalArgumentException(
          "one call emits more than %d records or %d bytes"
              .formatted(MAX_CALL_RECORDS, MAX_CALL_BYTES));
    }
    if (emitted.isEmpty()) {
      emitted = new ArrayList<>(2);
    }
    emitted.add(record);
  }

  @Override
  public void send(Event event) {
    requireCall();
    if (event.getCancel()) {
      throw new IllegalArgumentException("cancel is for weir.scheduled: call sendAt");
    }
    boolean needsTime = event.getTimestampMs() == 0;
    send(needsTime ? event.toBuilder().setTimestampMs(nowMs).build() : event, Emitted.Kind.EVENT);
  }

  @Override
  public void sendAt(Event event, long dueMs) {
    requireCall();
    send(event.toBuilder().setDueMs(dueMs).build(), Emitted.Kind.SCHEDULED_EVENT);
  }

  private void send(Event event, Emitted.Kind kind) {
    Stream.of(event.getKey(), event.getSubject(), event.getType(), event.getId())
        .forEach(CallContext::requireText);
    event
        .getFieldsMap()
        .forEach(
            (name, value) -> {
              requireText(name);
              requireText(value.getStringValue());
            });
    EventRules.refusal(event, kind == Emitted.Kind.SCHEDULED_EVENT, MAX_ID_BYTES)
        .ifPresent(
            refusal -> {
              throw new IllegalArgumentException(refusal.meaning());
            });
    byte[] key = event.getKey().getBytes(StandardCharsets.UTF_8);
    emit(Emitted.event(kind, key, event.toByteArray()));
  }

  /** UTF-8 cannot encode half a surrogate pair: different texts would become equal. */
  private static void requireText(String text) {
    if (Utf8.hasLoneSurrogate(text)) {
      throw new IllegalArgumentException("half a surrogate pair: " + Printable.line(text, 100));
    }
  }

  @Override
  public EventOrigin origin() {
    requireCall();
    return origin;
  }

  @Override
  public Instant now() {
    requireCall();
    return Instant.ofEpochMilli(nowMs);
  }

  @Override
  public Instant startedAt() {
    requireCall();
    return Instant.ofEpochMilli(call == Call.START ? nowMs : key.startedMs());
  }

  /** The name of a timer in the table of timers. */
  static byte[] timerName(LiveKey key, String id) {
    return Timer.name(key.key(), id.getBytes(StandardCharsets.UTF_8));
  }
}
