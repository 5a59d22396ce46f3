package io.weir.keyed;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.event.EventColumns;
import io.weir.event.EventColumns.Text;
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
import java.util.List;

/**
 * The lives of a partition's keys: when they start, what comes to them, when they end. Decides by
 * the times of records alone. Called by the task's thread only.
 */
final class Life {
  /** Where an event comes from. */
  enum From {
    /** The record at hand. */
    RECORD,
    /** The state: it was scheduled, or waited for a start. */
    STATE
  }

  /** Takes events that go to the dead letters. */
  interface DeadLetters {
    /** An event whose call failed; null where no event led to the call. */
    void failed(LiveKey key, byte[] event, From from, Calls.Failure failure);

    /** An event whose key was not started in time. */
    void notStarted(byte[] event);
  }

  private final KeyedPlan plan;
  private final LiveKeys keys;
  private final Timers timers;
  private final Calls calls;
  private final KeyedMeasures measures;
  private final DeadLetters deadLetters;
  private long appendMs;
  private long logMs;

  Life(
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

  /** A record is at hand. */
  void at(long recordAppendMs, long recordLogMs) {
    appendMs = recordAppendMs;
    logMs = recordLogMs;
    calls.at(recordAppendMs);
  }

  /** An event of the topic; it is refused where there is no room for it. */
  void event(EventColumns batch, int i) {
    int offset = batch.offset(i, Text.KEY);
    int length = batch.length(i, Text.KEY);
    LiveKey key = keys.get(batch.record(), offset, length);
    boolean waits =
        (key == null || !key.isStarted())
            && plan.startOn() == StartOn.START_EVENT
            && !batch.isStart(i);
    EventRefusal refusal = refusal(batch, i, key, waits);
    if (refusal != null) {
      batch.refuse(i, refusal);
      return;
    }
    if (key == null) {
      key = keys.add(Arrays.copyOfRange(batch.record(), offset, offset + length));
    }
    if (waits) {
      keys.await(key, message(batch, i));
      keys.touch(key, logMs);
      return;
    }
    boolean isFirst = !key.isStarted();
    if (isFirst && !start(key)) {
      deadLetters.failed(key, message(batch, i), From.RECORD, calls.failure());
      leave(key);
      return;
    }
    handle(key, batch.record(), batch.messageOffset(i), batch.messageLength(i), From.RECORD);
    while (isFirst && key.isStarted() && key.waitingEvents() > 0) {
      byte[] event = keys.pollWaiting(key);
      handle(key, event, 0, event.length, From.STATE);
    }
  }

  private static byte[] message(EventColumns batch, int i) {
    int offset = batch.messageOffset(i);
    return Arrays.copyOfRange(batch.record(), offset, offset + batch.messageLength(i));
  }

  private EventRefusal refusal(EventColumns batch, int i, LiveKey key, boolean waits) {
    KeyedLimits limits = plan.limits();
    if (key == null && keys.size() >= limits.keys()) {
      return EventRefusal.TOO_MANY_KEYS;
    }
    boolean isFull =
        waits
            && (key != null && key.waitingEvents() >= limits.waitingPerKey()
                || keys.waitingBytes() + batch.messageLength(i) > limits.waitingBytes());
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

  /** A key that was not started after all is forgotten, unless events wait for it. */
  private void leave(LiveKey key) {
    if (key.waitingEvents() > 0) {
      keys.touch(key, logMs);
    } else {
      keys.end(key, logMs);
    }
  }

  private void handle(LiveKey key, byte[] bytes, int offset, int length, From from) {
    Outcome outcome = calls.event(key, parse(bytes, offset, length));
    keys.touch(key, logMs);
    if (outcome == null || outcome == Outcome.DONE && !end(key, EndReason.DONE)) {
      byte[] event = Arrays.copyOfRange(bytes, offset, offset + length);
      deadLetters.failed(key, event, from, calls.failure());
    }
  }

  private static Event parse(byte[] bytes, int offset, int length) {
    try {
      return Event.parser().parseFrom(bytes, offset, length);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the decoder took what protobuf does not", e);
    }
  }

  /** Ends a key, whatever its handler says to it. */
  private boolean end(LiveKey key, EndReason reason) {
    boolean ok = calls.end(key, reason);
    for (Timer timer : List.copyOf(key.timers())) {
      keys.remove(key, timer);
      timers.cancel(timer);
    }
    keys.end(key, logMs);
    return ok;
  }

  /**
   * Does what is due: timers in their order, then keys that are idle. Timers leave a tenth of the
   * calls to idle keys, so that keys end however many timers come.
   *
   * @param most calls at the most
   * @return how many of these are left; 0 where there may be more to do
   */
  int due(int most) {
    int forIdle = most / 10;
    int left = fireDue(most - forIdle) + forIdle;
    for (LiveKey key = idle(left); key != null; key = idle(left)) {
      endIdle(key);
      left--;
    }
    return fireDue(left);
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
    return left > 0 ? timers.poll(appendMs) : null;
  }

  private LiveKey idle(int left) {
    return left > 0 ? keys.idle(logMs) : null;
  }

  private void fire(Timer timer) {
    byte[] name = timer.ofKey();
    LiveKey key = keys.get(name, 0, name.length);
    measures.fired(appendMs - timer.dueMs());
    keys.remove(key, timer);
    handle(key, timer.event(), 0, timer.event().length, From.STATE);
  }

  private void endIdle(LiveKey key) {
    while (!key.isStarted() && key.waitingEvents() > 0) {
      deadLetters.notStarted(keys.pollWaiting(key));
    }
    if (!key.isStarted()) {
      keys.end(key, logMs);
    } else if (!end(key, EndReason.IDLE)) {
      deadLetters.failed(key, null, From.STATE, calls.failure());
    }
  }
}
