package io.weir.keyed;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.event.EventColumns;
import io.weir.event.EventColumns.Text;
import io.weir.event.EventJudge;
import io.weir.event.EventRefusal;
import io.weir.event.LiveKey;
import io.weir.event.LiveKeys;
import io.weir.event.Timer;
import io.weir.event.Timers;
import io.weir.store.KeyedState;
import io.weir.topology.KeyedMeasures;
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
    void failed(byte[] event, Trigger trigger, Calls.Failure failure);

    /** An event that is rejected before a call. */
    void unhandled(byte[] event, EventRefusal reason);
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

  private long appendMs;
  private long logMs;

  KeyLifecycle(
      KeyedPlan plan,
      KeyedState state,
      Calls calls,
      KeyedMeasures measures,
      DeadLetters deadLetters) {
    this.plan = plan;
    this.keys = state.keys();
    this.timers = state.timers();
    this.calls = calls;
    this.measures = measures;
    this.deadLetters = deadLetters;
  }

  /** Sets the times of the current record. */
  void at(long recordAppendMs, long recordLogMs) {
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
    boolean isLate = calls.timeIsOver() || !backlog.isEmpty() && backlog.contains(key);
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
      key = keys.add(Arrays.copyOfRange(batch.record(), offset, offset + length));
    }
    if (waits || isLate) {
      keys.await(key, message(batch, i));
      keys.touch(key, logMs);
      if (isLate) {
        backlog.add(key);
      }
      return;
    }
    calls.gateway(batch.writerId());
    begin(key, batch.record(), batch.messageOffset(i), batch.messageLength(i), Trigger.RECORD);
    if (key.isStarted() && key.waitingEvents() > 0) {
      backlog.add(key);
      handleBacklog();
    }
  }

  /** Handles an event; starts its key first if necessary. */
  private void begin(LiveKey key, byte[] bytes, int offset, int length, Trigger trigger) {
    if (key.isStarted() || start(key)) {
      handle(key, bytes, offset, length, trigger);
      return;
    }
    byte[] event = Arrays.copyOfRange(bytes, offset, offset + length);
    deadLetters.failed(event, trigger, calls.failure());
    leave(key);
  }

  /** Handles waiting events whose keys have started, until the thread must commit. */
  private void handleBacklog() {
    while (!backlog.isEmpty() && !calls.timeIsOver()) {
      LiveKey key = backlog.iterator().next();
      byte[] event = key.waitingEvents() > 0 ? pollWaiting(key) : null;
      if (event == null) {
        backlog.remove(key);
      } else if (EventJudge.isExpired(parse(event, 0, event.length).getExpiresMs(), appendMs)) {
        deadLetters.unhandled(event, EventRefusal.EXPIRED_EVENT);
        if (!key.isStarted()) {
          leave(key);
        }
      } else {
        calls.gateway(EventColumns.NOBODY);
        begin(key, event, 0, event.length, Trigger.WAITING);
      }
    }
  }

  /** The next event of a key to handle; null if all wait for a start. */
  private byte[] pollWaiting(LiveKey key) {
    return key.isStarted() || plan.startOn() == StartOn.ANY_EVENT
        ? keys.pollWaiting(key)
        : keys.pollWaiting(key, event -> parse(event, 0, event.length).getStart());
  }

  private static byte[] message(EventColumns batch, int i) {
    int offset = batch.messageOffset(i);
    return Arrays.copyOfRange(batch.record(), offset, offset + batch.messageLength(i));
  }

  private EventRefusal refusal(
      EventColumns batch, int i, LiveKey key, boolean waits, boolean isLate) {
    KeyedLimits limits = plan.limits();
    boolean isFullOfKeys =
        keys.size() >= limits.keys()
            || keys.bytes() + LiveKey.bytes(batch.length(i, Text.KEY)) > limits.bytes();
    if (key == null && isFullOfKeys) {
      return EventRefusal.TOO_MANY_KEYS;
    }
    boolean isFull =
        waits && !isLate && key != null && key.waitingEvents() >= limits.waitingPerKey()
            || (waits || isLate)
                && keys.waitingBytes() + batch.messageLength(i) > limits.waitingBytes();
    return isFull ? EventRefusal.TOO_MANY_WAITING : null;
  }

  private boolean start(LiveKey key) {
    String name = new String(key.key(), StandardCharsets.UTF_8);
    if (!calls.start(key, name)) {
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

  private void handle(LiveKey key, byte[] bytes, int offset, int length, Trigger trigger) {
    if (!handled(key, bytes, offset, length)) {
      byte[] event = Arrays.copyOfRange(bytes, offset, offset + length);
      deadLetters.failed(event, trigger, calls.failure());
    }
    touch(key);
  }

  /** Returns whether the calls succeeded. */
  private boolean handled(LiveKey key, byte[] bytes, int offset, int length) {
    Outcome outcome = calls.event(key, parse(bytes, offset, length));
    if (outcome == Outcome.DONE) {
      end(key);
    }
    return outcome != null;
  }

  private static Event parse(byte[] bytes, int offset, int length) {
    try {
      return Event.parser().parseFrom(bytes, offset, length);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          "protobuf cannot parse an event that the decoder " + "accepted", e);
    }
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
   * Runs due timers in their order, then the ends of idle keys. A tenth of the calls is reserved
   * for idle keys, so that keys end also under a continuous load of timers.
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
    return calls.timeIsOver() ? 0 : left;
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
    return left > 0 && !calls.timeIsOver() ? timers.poll(appendMs) : null;
  }

  private LiveKey idle(int left) {
    return left > 0 && !calls.timeIsOver() ? keys.idle(logMs) : null;
  }

  private void fire(Timer timer) {
    byte[] name = timer.ofKey();
    LiveKey key = keys.get(name, 0, name.length);
    measures.fired(appendMs - timer.dueMs());
    keys.remove(key, timer);
    if (timer.isExpired(appendMs)) {
      touch(key);
      deadLetters.unhandled(timer.event(), EventRefusal.EXPIRED_EVENT);
      return;
    }
    calls.gateway(timer.writerId());
    boolean ok = handled(key, timer.event(), 0, timer.event().length);
    if (!ok) {
      keys.add(key, again(timer));
    }
    touch(key);
    if (!ok) {
      deadLetters.failed(timer.event(), Trigger.TIMER, calls.failure());
    }
  }

  /** Reschedules a timer whose call failed: otherwise a periodic handler would stop. */
  private Timer again(Timer failed) {
    long inMs = Math.min(LONGEST_RETRY_MS, Math.max(FIRST_RETRY_MS, 2 * failed.everyMs()));
    return timers.schedule(
        failed.name(),
        failed.writerId(),
        failed.event(),
        appendMs + inMs,
        inMs,
        failed.hasTimestamp());
  }

  private void touch(LiveKey key) {
    if (key.isStarted()) {
      keys.touch(key, logMs);
    }
  }

  private void endIdle(LiveKey key) {
    while (!key.isStarted() && key.waitingEvents() > 0) {
      deadLetters.unhandled(keys.pollWaiting(key), EventRefusal.NOT_STARTED);
    }
    calls.gateway(EventColumns.NOBODY);
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
    deadLetters.failed(end.toByteArray(), Trigger.IDLE, calls.failure());
  }
}
