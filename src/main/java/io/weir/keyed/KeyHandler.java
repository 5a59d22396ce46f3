package io.weir.keyed;

import io.weir.v1.Event;

/**
 * Processes the events of one key, such as a sensor, an order or an account.
 *
 * <p><b>One object a key.</b> {@link KeyedApplication} creates it when a process first needs it,
 * and drops it when the key has ended, when its partition moves to another process, and after an
 * exception. Fields of the object are therefore only a cache; data that must survive belongs in the
 * {@linkplain KeyContext#state() state}.
 *
 * <p><b>In order, one at a time.</b> The calls for a key run one after the other, in the order of
 * the log. Two threads or processes never both commit effects of the same call. Different threads
 * handle the keys of different partitions concurrently, so objects that handlers share must be
 * thread-safe.
 *
 * <p><b>All or nothing.</b> The effects of a call through its {@link KeyContext} - state, timers,
 * outputs - are committed with the event, in one Kafka transaction, exactly once, also across
 * crashes. If the call throws an exception or an error, none of its effects is kept: the event is
 * handled again after a while ({@link KeyedApplication.Builder#retry}), and after the last attempt
 * goes to the dead letters (reason HANDLER); the key continues with its state from before the call.
 * A start is a separate call and remains valid if the event after it fails. An event that returns
 * {@link Outcome#DONE} and the end after it succeed or fail together.
 *
 * <p>A scheduled event whose call fails is kept and retried after 1 s; the delay doubles with each
 * failure, up to 5 min. An idle end that fails leaves the key unchanged and is retried after
 * another idle period. Each such failure also writes a dead letter (reason HANDLER_RETRY), which
 * need not be redriven.
 *
 * <p><b>Other effects of a handler</b>, such as a request to a server, happen at least once: after
 * an aborted transaction, processing repeats from the last commit, and a process that was frozen
 * and replaced may still run a handler whose effects are then rejected. Make such requests
 * idempotent by a stable id, such as the id of the event.
 *
 * <p>A call that runs longer than {@link KeyedApplication.Builder#callTimeout}, 20 s by default, is
 * interrupted and fails, whatever it returns. Longer work belongs in another service, which replies
 * with an event.
 */
public interface KeyHandler {
  /**
   * Starts the key, at its first event or at the first after it had ended. The event is passed to
   * {@link #event} right after.
   *
   * @param key valid during this call
   */
  void start(KeyContext key);

  /**
   * Handles an event of the topic and, unless {@link #timer} is overridden, an event that the key
   * has scheduled and that is due. Events of every type are passed; ignore unknown types.
   *
   * @param key valid during this call
   * @param event as it was published; a scheduled event has {@code id} and {@code due_ms} set
   * @return whether the key continues; never null
   */
  Outcome event(KeyContext key, Event event);

  /**
   * Handles a timer of the key: {@link KeyContext#timerEvent()} is its event. By default it is
   * passed to {@link #event}.
   *
   * <p>Only the key itself schedules its timers. An event of the topic may have any {@code id} and
   * {@code due_ms}, and is passed to {@link #event}: to know one from the other, override this
   * method.
   *
   * @param key valid during this call
   * @param id under which it was scheduled
   * @param dueMs when it was due, in milliseconds since the Unix epoch; of one that repeats, the
   *     last time that has passed. A retry has the same time
   * @return whether the key continues; never null
   */
  default Outcome timer(KeyContext key, String id, long dueMs) {
    return event(key, key.timerEvent());
  }

  /**
   * Ends the key. The state can be read for the last time and records can be emitted, but events
   * cannot be scheduled. If the method throws an exception, the key does not end.
   *
   * @param key valid during this call
   */
  default void end(KeyContext key, EndReason reason) {}
}
