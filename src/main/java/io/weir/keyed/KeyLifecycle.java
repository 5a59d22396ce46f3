package io.weir.keyed;

import com.google.protobuf.ByteString;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventColumns.Text;
import io.weir.internal.event.EventJudge;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.event.LiveKey;
import io.weir.internal.event.LiveKeys;
import io.weir.internal.event.Timer;
import io.weir.internal.event.Timers;
import io.weir.internal.store.KeyedState;
import io.weir.internal.topology.KeyedMeasures;
import io.weir.internal.wire.Protobuf;
import io.weir.v1.Event;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The lifecycle of a partition's keys: decides, by the times of records alone, when keys start,
 * which events they handle and when they end. Called by the task's thread only.
 */
final class KeyLifecycle {
  /** The cause of a call. */
  enum Trigger {
    /** An event of the current record. */
    RECORD,
    /** An event that waited for the start of its key or for the next transaction. */
    WAITING,
    /** An event whose call failed before. */
    RETRY,
    /** A scheduled event; it is kept if its call fails. */
    TIMER,
    /** Inactivity; if its call fails, the key continues and the idle period starts again. */
    IDLE
  }

  /** Receives events that go to the dead letters. */
  interface DeadLetters {
    /**
     * An event whose call failed; an idle end is represented by an event of type {@link #IDLE_END}.
     */
    void failed(HeldEvent event, Trigger trigger, Calls.Failure failure);

    /** An event whose call failed is retried. */
    void retries(int failures, long inMs, Calls.Failure failure);

    /** An event that is rejected before a call. */
    void unhandled(HeldEvent event, EventRefusal reason);
  }

  /** Delay of the first retry of a failed timer; it doubles with each failure... */
  static final long FIRST_RETRY_MS = 1_000;

  /** ...up to this delay. */
  static final long LONGEST_RETRY_MS = 300_000;

  /** Type of the event that represents an idle end in the dead letters. */
  static final String IDLE_END = "weir.end";

  private final KeyedPlan plan;
  private final LiveKeys keys;
  private final Timers timers;
  private final Calls calls;
  private final KeyedMeasures measures;
  private final DeadLetters deadLetters;

  /** Keys that may have events which wait only for the next transaction. */
  private Set<LiveKey> backlog;

  private final int partition;
  private final String ownGateway;
  private long recordOffset;
  private long appendMs;
  private long logMs;

  /**
   * @param partition of the events
   * @param ownGateway the gateway id of what the application makes of this partition
   */
  KeyLifecycle(
      KeyedPlan plan,
      int partition,
      String ownGateway,
      KeyedState state,
      Calls calls,
      KeyedMeasures measures,
      DeadLetters deadLetters) {
    this.plan = plan;
    this.partition = partition;
    this.ownGateway = ownGateway;
    this.keys = state.keys();
    this.timers = state.timers();
    this.calls = calls;
    this.measures = measures;
    this.deadLetters = deadLetters;
  }

  /** Sets the times and the offset of the current record. */
  void at(long recordAppendMs, long recordLogMs, long offset) {
    recordOffset = offset;
    appendMs = recordAppendMs;
    logMs = recordLogMs;
    calls.at(recordAppendMs);
    if (backlog == null) { // The state has been restored.
      backlog = new LinkedHashSet<>(keys.withWaiting());
    }
  }

  /** Handles an event of the topic; it is rejected if a limit is reached. */
  void event(EventColumns batch, int i) {
    int offset = batch.offset(i, Text.KEY);
    int length = batch.length(i, Text.KEY);
    LiveKey key = keys.get(batch.record(), offset, length);
    boolean isRetrying = key != null && key.retry() != null;
    boolean isLate =
        isRetrying || calls.timeIsOver() || !backlog.isEmpty() && backlog.contains(key);
    boolean waits =
        (key == null || !key.isStarted())
            && plan.startOn() == StartOn.START_EVENT
            && !batch.isStart(i);
    EventRefusal refusal = refusal(batch, i, key, waits, isLate);
    if (refusal != null) {
      batch.refuse(i, refusal);
      return;
    }
    if (key == null) {
      key = keys.add(Arrays.copyOfRange(batch.record(), offset, offset + length), batch.writerId());
    }
    if (waits || isLate) {
      if (isRetrying && key.waitingEvents() >= plan.limits().waitingPerKey()) {
        unhandled(keys.pollWaiting(key), EventRefusal.TOO_MANY_WAITING);
      }
      keys.await(key, held(batch, i), batch.writerId());
      keys.touch(key, logMs);
      if (isLate && !isRetrying) {
        backlog.add(key);
      }
      return;
    }
    calls.gateway(batch.writerId());
    byte[] event = held(batch, i);
    begin(key, event, Trigger.RECORD, 1);
    if (key.isStarted() && key.waitingEvents() > 0) {
      backlog.add(key);
      handleBacklog();
    }
  }

  /**
   * Handles an event; starts its key first if necessary.
   *
   * @param attempt number of the call
   */
  private void begin(LiveKey key, byte[] event, Trigger trigger, int attempt) {
    HeldEvent held = read(event);
    calls.origin(held.origin());
    if (!key.isStarted() && !start(key)) {
      if (!retries(key, event, attempt)) {
        deadLetters.failed(held, trigger, calls.failure());
        leave(key);
      }
      return;
    }
    Outcome outcome = calls.event(key, parse(held.message()));
    if (outcome == Outcome.DONE) {
      end(key);
    } else if (outcome == null && !retries(key, event, attempt)) {
      deadLetters.failed(held, trigger, calls.failure());
    }
    touch(key);
  }

  /** Whether an event whose call failed is retried: another attempt is left, and room. */
  private boolean retries(LiveKey key, byte[] event, int failures) {
    byte[] name = Timer.retryName(key.key());
    long moreBytes = Timer.bytes(name.length, event.length);
    if (failures >= plan.retries().attempts()
        || !timers.hasRoomFor(name, calls.gateway(), 1, moreBytes)) {
      return false;
    }
    long inMs = plan.retries().delayMs(failures, name(key), appendMs);
    deadLetters.retries(failures, inMs, calls.failure());
    keys.add(
        key, timers.schedule(name, calls.gateway(), event, appendMs + inMs, failures, false, inMs));
    keys.touch(key, logMs);
    return true;
  }

  /** Handles waiting events whose keys have started, until the thread must commit. */
  private void handleBacklog() {
    while (!backlog.isEmpty() && !calls.timeIsOver()) {
      LiveKey key = backlog.iterator().next();
      boolean waits = key.waitingEvents() > 0 && key.retry() == null;
      long writerId = waits ? keys.firstWriterId(key) : EventColumns.NOBODY;
      byte[] event = waits ? pollWaiting(key) : null;
      if (event == null) {
        backlog.remove(key);
      } else if (EventJudge.isExpired(parse(event).getExpiresMs(), appendMs)) {
        unhandled(event, EventRefusal.EXPIRED_EVENT);
        if (!key.isStarted()) {
          leave(key);
        }
      } else {
        calls.gateway(writerId);
        begin(key, event, Trigger.WAITING, 1);
      }
    }
  }

  /** The next event of a key to handle; null if all wait for a start. */
  private byte[] pollWaiting(LiveKey key) {
    return key.isStarted() || plan.startOn() == StartOn.ANY_EVENT
        ? keys.pollWaiting(key)
        : keys.pollWaiting(key, event -> parse(event).getStart());
  }

  private byte[] held(EventColumns batch, int i) {
    byte[] gateway =
        Arrays.copyOfRange(
            batch.record(), batch.gatewayOffset(), batch.gatewayOffset() + batch.gatewayLength());
    return HeldEvent.of(
        batch.record(), batch.messageOffset(i), batch.messageLength(i), gateway, recordOffset, i);
  }

  private HeldEvent read(byte[] held) {
    return HeldEvent.read(held, plan.topic(), partition);
  }

  /** An event that the application made, as it may publish those of every key. */
  private HeldEvent own(byte[] event) {
    return new HeldEvent(event, null, ownGateway);
  }

  private void unhandled(byte[] held, EventRefusal reason) {
    deadLetters.unhandled(read(held), reason);
  }

  private EventRefusal refusal(
      EventColumns batch, int i, LiveKey key, boolean waits, boolean isLate) {
    KeyedLimits limits = plan.limits();
    int keyLength = batch.length(i, Text.KEY);
    if (key == null
        && !keys.hasRoomForKey(batch.writerId(), keyLength, limits.keys(), limits.bytes())) {
      return EventRefusal.TOO_MANY_KEYS;
    }
    boolean isFull =
        waits && !isLate && key != null && key.waitingEvents() >= limits.waitingPerKey()
            || (waits || isLate)
                && !keys.hasRoomForWaiting(
                    batch.writerId(), batch.messageLength(i), limits.waitingBytes());
    return isFull ? EventRefusal.TOO_MANY_WAITING : null;
  }

  private boolean start(LiveKey key) {
    if (!calls.start(key, name(key))) {
      return false;
    }
    keys.start(key, appendMs);
    keys.touch(key, logMs);
    return true;
  }

  /** Deletes a key that is not started, unless events wait for it. */
  private void leave(LiveKey key) {
    if (key.waitingEvents() > 0) {
      keys.touch(key, logMs);
    } else {
      keys.end(key, logMs);
    }
  }

  private static Event parse(byte[] bytes) {
    return Protobuf.own(Event.getDefaultInstance(), bytes);
  }

  private static String name(LiveKey key) {
    return new String(key.key(), StandardCharsets.UTF_8);
  }

  /** Deletes a key with its state, timers and waiting events, without a call; false if none. */
  boolean delete(byte[] name) {
    LiveKey key = keys.get(name, 0, name.length);
    if (key == null) {
      return false;
    }
    while (key.waitingEvents() > 0) {
      keys.pollWaiting(key);
    }
    backlog.remove(key);
    end(key);
    return true;
  }

  /** Deletes an ended key. */
  private void end(LiveKey key) {
    for (Timer timer : List.copyOf(key.timers())) {
      keys.remove(key, timer);
      timers.cancel(timer);
    }
    keys.end(key, logMs);
  }

  /**
   * Runs due timers in their order, then the ends of idle keys, for at most half of the time until
   * the next commit: overdue timers do not keep events from being handled. A tenth of the calls is
   * reserved for idle keys, so that keys end also under a continuous load of timers.
   *
   * @param most maximum number of calls
   * @return the unused part of that number; 0 if more may be due
   */
  int due(int most) {
    handleBacklog();
    int forIdle = most / 10;
    int left = fireDue(most - forIdle) + forIdle;
    for (LiveKey key = idle(left); key != null; key = idle(left)) {
      endIdle(key);
      left--;
    }
    left = fireDue(left);
    return calls.halfOfTimeIsOver() ? 0 : left;
  }

  private int fireDue(int most) {
    int left = most;
    for (Timer timer = poll(left); timer != null; timer = poll(left)) {
      fire(timer);
      left--;
    }
    return left;
  }

  private Timer poll(int left) {
    return left > 0 && !calls.halfOfTimeIsOver() ? timers.poll(appendMs) : null;
  }

  private LiveKey idle(int left) {
    return left > 0 && !calls.halfOfTimeIsOver() ? keys.idle(logMs) : null;
  }

  private void fire(Timer timer) {
    byte[] name = timer.ofKey();
    LiveKey key = keys.get(name, 0, name.length);
    keys.remove(key, timer);
    if (key.retry() != null) { // The calls of a key keep their order.
      long retryMs = key.retry().dueMs();
      keys.add(key, again(timer, timer.event(), retryMs, timer.everyMs(), retryMs - appendMs));
      return;
    }
    if (timer.isExpired(appendMs)) {
      byte[] event = timer.event();
      deadLetters.unhandled(timer.isRetry() ? read(event) : own(event), EventRefusal.EXPIRED_EVENT);
      continueAfter(key, timer);
      return;
    }
    calls.gateway(timer.writerId());
    if (timer.isRetry()) {
      begin(key, timer.event(), Trigger.RETRY, Math.toIntExact(timer.everyMs()) + 1);
      continueAfter(key, timer);
      return;
    }
    measures.fired(appendMs - timer.dueMs());
    calls.origin(null);
    Event event = due(timer);
    Outcome outcome = calls.timer(key, timer, event, next(timer, event));
    if (outcome == Outcome.DONE) {
      end(key);
    } else if (outcome == null) {
      byte[] failed = event.toByteArray();
      long inMs = Math.min(LONGEST_RETRY_MS, Math.max(FIRST_RETRY_MS, 2 * timer.everyMs()));
      keys.add(key, again(timer, failed, appendMs + inMs, inMs, inMs));
      deadLetters.failed(own(failed), Trigger.TIMER, calls.failure());
    }
    touch(key);
  }

  /** The events that waited for a retry follow it. */
  private void continueAfter(LiveKey key, Timer timer) {
    if (!timer.isRetry()) {
      touch(key);
    } else if (key.waitingEvents() > 0) {
      keys.touch(key, logMs);
      backlog.add(key);
      handleBacklog();
    } else if (timer.isExpired(appendMs) && !key.isStarted()) {
      leave(key);
    } else {
      touch(key);
    }
  }

  /** The event of a timer; of one that repeats, as of the last time that has passed. */
  private Event due(Timer timer) {
    Event event = parse(timer.event());
    if (event.getEveryMs() == 0 || timer.everyMs() > 0) {
      return event;
    }
    long missed = (appendMs - event.getDueMs()) / event.getEveryMs();
    return missed == 0 ? event : at(timer, event, missed).setMissed(missed).build();
  }

  /** The event of a timer that repeats at its next time; else null. */
  private static Event next(Timer timer, Event event) {
    return event.getEveryMs() == 0 ? null : at(timer, event, 1).clearMissed().build();
  }

  private static Event.Builder at(Timer timer, Event event, long times) {
    long dueMs = event.getDueMs() + times * event.getEveryMs();
    Event.Builder later = event.toBuilder().setDueMs(dueMs);
    return timer.hasTimestamp() ? later : later.setTimestampMs(dueMs);
  }

  /** Reschedules a timer that was not handled: otherwise a periodic handler would stop. */
  private Timer again(Timer timer, byte[] event, long dueMs, long everyMs, long inMs) {
    return timers.schedule(
        timer.name(), timer.writerId(), event, dueMs, everyMs, timer.hasTimestamp(), inMs);
  }

  /**
   * The clock went back, as after a record of a broker whose clock is far ahead: no timer waits for
   * longer than it was scheduled for, unless for a time that was given.
   */
  void clockWentBack(long recordAppendMs, long mostAheadMs) {
    for (Timer timer : timers.tooLong(recordAppendMs, mostAheadMs)) {
      byte[] name = timer.ofKey();
      LiveKey key = keys.get(name, 0, name.length);
      long dueMs = recordAppendMs + timer.inMs();
      byte[] event = timer.isRetry() ? timer.event() : dueAt(timer, dueMs);
      keys.remove(key, timer);
      keys.add(key, again(timer, event, dueMs, timer.everyMs(), timer.inMs()));
    }
  }

  private static byte[] dueAt(Timer timer, long dueMs) {
    Event.Builder event = parse(timer.event()).toBuilder().setDueMs(dueMs);
    return (timer.hasTimestamp() ? event : event.setTimestampMs(dueMs)).build().toByteArray();
  }

  private void touch(LiveKey key) {
    if (key.isStarted()) {
      keys.touch(key, logMs);
    }
  }

  private void endIdle(LiveKey key) {
    while (!key.isStarted() && key.waitingEvents() > 0) {
      unhandled(keys.pollWaiting(key), EventRefusal.NOT_STARTED);
    }
    calls.gateway(EventColumns.NOBODY);
    calls.origin(null);
    if (!key.isStarted() || calls.endIdle(key)) {
      keys.end(key, logMs);
      return;
    }
    keys.touch(key, logMs);
    Event end =
        Event.newBuilder()
            .setKeyBytes(ByteString.copyFrom(key.key()))
            .setType(IDLE_END)
            .setTimestampMs(appendMs)
            .build();
    deadLetters.failed(own(end.toByteArray()), Trigger.IDLE, calls.failure());
  }
}
