package io.weir.keyed;

import io.weir.internal.event.LiveKey;
import io.weir.internal.event.LiveKeys;
import io.weir.internal.event.Timer;
import io.weir.internal.event.Timers;
import io.weir.internal.store.KeyedState;
import io.weir.internal.topology.KeyedMeasures;
import io.weir.internal.topology.KeyedMeasures.Call;
import io.weir.keyed.CallContext.Scheduled;
import io.weir.keyed.Output.Emitted;
import io.weir.v1.Event;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls handlers and applies the effects of a call after it has returned: all of them or none.
 * Called by the task's thread only.
 */
final class Calls {
  /** A call that failed. */
  record Failure(CallContext call, Throwable cause) {}

  private final KeyedPlan plan;
  private final LiveKeys keys;
  private final Timers timers;
  private final KeyedMeasures measures;
  private final Consumer<Emitted> out;
  private EventOrigin origin;
  private long appendMs;
  private long writerId;
  private CallTimes.Slot time;
  private Failure failure;
  private Outcome outcome;

  /**
   * @param out receives the emitted records
   */
  Calls(KeyedPlan plan, KeyedState state, KeyedMeasures measures, Consumer<Emitted> out) {
    this.plan = plan;
    this.keys = state.keys();
    this.timers = state.timers();
    this.measures = measures;
    this.out = out;
  }

  /** Sets the current record. */
  void at(long recordAppendMs) {
    appendMs = recordAppendMs;
    time = plan.times().ofThread();
  }

  /** Sets the event whose calls follow; null for timers and idle ends. */
  void origin(EventOrigin event) {
    origin = event;
  }

  /** Sets the gateway whose limits apply to the timers that are scheduled next. */
  void gateway(long gateway) {
    writerId = gateway;
  }

  /** The gateway whose limits apply. */
  long gateway() {
    return writerId;
  }

  /** Whether the thread must commit before its next call. */
  boolean timeIsOver() {
    return time.isOver();
  }

  /** Whether due work is to leave the rest of the time to events. */
  boolean halfOfTimeIsOver() {
    return time.isHalfOver();
  }

  /** The failure of the last call; null if it succeeded. */
  Failure failure() {
    return failure;
  }

  /** Starts a key. */
  boolean start(LiveKey key, String name) {
    CallContext context = context(key, name, Call.START, key.state());
    if (!run(key, context, () -> handler(key).start(context))) {
      return false;
    }
    apply(key, context);
    return true;
  }

  /**
   * Passes an event to a live key and, if the outcome is DONE, calls its end. Returns null if one
   * of the calls failed; then neither has an effect.
   */
  Outcome event(LiveKey key, Event event) {
    CallContext context = context(key, event.getKey(), Call.EVENT, key.state());
    return call(key, context, () -> handler(key).event(context, event));
  }

  /**
   * As {@link #event}, for a timer. One that repeats waits again if the key continues, unless the
   * call has cancelled or replaced it.
   *
   * @param next its event at the next time, or null
   */
  Outcome timer(LiveKey key, Timer timer, Event event, Event next) {
    long nextMs = next == null ? 0 : next.getDueMs();
    CallContext context =
        context(key, event.getKey(), Call.EVENT, key.state()).ofTimer(event, nextMs);
    Outcome follows =
        call(key, context, () -> handler(key).timer(context, event.getId(), event.getDueMs()));
    if (next != null
        && follows == Outcome.CONTINUE
        && !context.ordered().containsKey(event.getId())) {
      keys.add(
          key,
          timers.schedule(
              timer.name(),
              writerId,
              next.toByteArray(),
              nextMs,
              0,
              timer.hasTimestamp(),
              next.getEveryMs()));
    }
    return follows;
  }

  private Outcome call(LiveKey key, CallContext context, Supplier<Outcome> body) {
    boolean ok =
        run(
            key,
            context,
            () -> {
              outcome = body.get();
              if (outcome == null) {
                throw new IllegalStateException("the KeyHandler returned null");
              }
            });
    if (!ok) {
      return null;
    }
    Outcome follows = outcome;
    if (follows == Outcome.DONE) {
      CallContext last = context(key, context.keyName(), Call.END, context.currentState());
      if (!run(key, last, () -> handler(key).end(last, EndReason.DONE))) {
        return null;
      }
      apply(key, context);
      apply(key, last);
    } else {
      apply(key, context);
    }
    return follows;
  }

  /** Calls the handler at the idle end of a key. */
  boolean endIdle(LiveKey key) {
    String name = new String(key.key(), StandardCharsets.UTF_8);
    CallContext context = context(key, name, Call.END, key.state());
    if (!run(key, context, () -> handler(key).end(context, EndReason.IDLE))) {
      return false;
    }
    apply(key, context);
    return true;
  }

  private KeyHandler handler(LiveKey key) {
    KeyHandler handler = (KeyHandler) key.handler();
    if (handler == null) {
      handler = plan.handlers().get();
      if (handler == null) {
        throw new IllegalStateException("the supplier of handlers returned null");
      }
      key.handler(handler);
    }
    return handler;
  }

  private CallContext context(LiveKey key, String name, Call call, byte[] state) {
    return new CallContext(key, name, call, state, appendMs, plan.outputs(), origin);
  }

  private boolean run(LiveKey key, CallContext context, Runnable body) {
    time.begin(context);
    Throwable thrown = null;
    try {
      body.run();
      requireRoom(key, context);
      requireRoom(key, context.ordered());
    } catch (Throwable e) { // An Error of the user's program ends its call, not the application.
      thrown = e;
    }
    context.end();
    Throwable cause = time.end(thrown);
    failure = cause == null ? null : new Failure(context, cause);
    if (failure != null) {
      // Fields that the call changed may not match the state, whose changes are dropped.
      key.handler(null);
      measures.failed(context.call());
    }
    return failure == null;
  }

  /** A state may always shrink; the restore of a state asks for no room. */
  private void requireRoom(LiveKey key, CallContext context) {
    long more = length(context.currentState()) - length(key.state());
    long most = plan.limits().bytes();
    if (context.hasNewState() && more > 0 && !keys.hasRoomForState(key, more, most)) {
      throw new IllegalStateException(
          ("the keys and states of this partition would take %,d bytes; expected: at most %,d,"
                  + " or half of it if those of the key's gateway take an eighth"
                  + " (weir.handlers.max.bytes)")
              .formatted(keys.bytes() + more, most));
    }
  }

  private static long length(byte[] state) {
    return state == null ? 0 : state.length;
  }

  private void requireRoom(LiveKey key, Map<String, Scheduled> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    int more = 0;
    long moreBytes = 0;
    byte[] name = null;
    for (Map.Entry<String, Scheduled> want : wanted.entrySet()) {
      name = CallContext.timerName(key, want.getKey());
      Timer before = timers.get(name);
      if (before != null) {
        more--;
        moreBytes -= before.bytes();
      }
      if (want.getValue() != CallContext.CANCELLED) {
        more++;
        moreBytes += Timer.bytes(name.length, want.getValue().event().length);
      }
    }
    if (!timers.hasRoomFor(name, writerId, more, moreBytes)) {
      throw new IllegalStateException(
          "too many events, or bytes of events, are scheduled for this key, gateway or partition");
    }
  }

  private void apply(LiveKey key, CallContext context) {
    if (context.hasNewState()) {
      keys.state(key, context.currentState());
    }
    context.ordered().forEach((id, wanted) -> apply(key, id, wanted));
    for (Emitted emitted : context.emitted()) {
      out.accept(emitted);
    }
    measures.handled(context.call());
  }

  private void apply(LiveKey key, String id, Scheduled wanted) {
    byte[] name = CallContext.timerName(key, id);
    Timer before = timers.get(name);
    if (before != null) {
      keys.remove(key, before);
      timers.cancel(before);
    }
    if (wanted != CallContext.CANCELLED) {
      keys.add(
          key,
          timers.schedule(
              name,
              writerId,
              wanted.event(),
              wanted.dueMs(),
              0,
              wanted.hasTimestamp(),
              wanted.inMs()));
    }
  }
}
