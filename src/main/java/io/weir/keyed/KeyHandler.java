package io.weir.keyed;

import io.weir.v1.Event;

/**
 * What a program does with the events of one key: a sensor, an order, an account.
 *
 * <p><b>One object a key.</b> {@link KeyedApplication} makes one when a process first needs it, and
 * drops it when the key has ended, when its partition goes to another process, and after an
 * exception. So fields of the object are a cache and nothing more: what must be known later belongs
 * into the {@linkplain KeyContext#state() state}.
 *
 * <p><b>In order, one at a time.</b> The calls for a key come one after the other, in the order of
 * the log, and never two at once: neither in two threads nor in two processes, as far as their
 * effects go. Keys of different partitions are handled by different threads at the same time:
 * objects that handlers share must bear that.
 *
 * <p><b>All or nothing.</b> What a call does through its {@link KeyContext} - state, timers,
 * outputs - is committed with the event, in one Kafka transaction, exactly once, whatever crashes.
 * If the call throws an exception or an error, nothing of it is kept: the event goes to the dead
 * letters (reason HANDLER), and the key goes on as it was before the call. A start is a call of its
 * own and stays if the event after it fails; an event that returns {@link Outcome#DONE} and the end
 * after it are kept or undone together.
 *
 * <p>A scheduled event whose call fails is kept, and comes again: after a second, then after twice
 * as long each time, up to five minutes. An idle end that fails leaves the key as it was, and comes
 * again after another idle end. Each such failure is a dead letter too (reason HANDLER_RETRY),
 * which need not be sent again.
 *
 * <p><b>What a handler does otherwise</b>, such as a request to a server, is done at least once: a
 * transaction that is aborted is done again from its last commit, and a process that was frozen and
 * replaced may, when it wakes, still run a handler whose effects are refused. Name such requests by
 * something that stays the same, as the event's own id.
 *
 * <p>A call may take 20 s, or what {@link KeyedApplication.Builder#callTimeout} says. One that
 * takes longer is interrupted and fails, whatever it returns. What takes longer is for another
 * service, which answers with an event.
 */
public interface KeyHandler {
  /**
   * The key's life begins: with its first event, or the first after it had ended. The event itself
   * comes right after, through {@link #event}.
   *
   * @param key valid during this call
   */
  void start(KeyContext key);

  /**
   * The key has an event: one of the topic, or one of its own that it had {@linkplain
   * KeyContext#schedule scheduled} and that came due. Events of every type come here; leave those
   * that you do not know.
   *
   * @param key valid during this call
   * @param event as it was published; of a scheduled one {@code id} and {@code due_ms} are set
   * @return whether the key goes on; never null
   */
  Outcome event(KeyContext key, Event event);

  /**
   * The key has ended. Its state can be read here for the last time and outputs be emitted; nothing
   * can be scheduled. If it throws an exception, the key has not ended.
   *
   * @param key valid during this call
   */
  default void end(KeyContext key, EndReason reason) {}
}
