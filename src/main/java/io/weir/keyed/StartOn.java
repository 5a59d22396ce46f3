package io.weir.keyed;

/** Which event starts a key. */
public enum StartOn {
  /** Any. */
  ANY_EVENT,
  /**
   * An event with {@code start}. Other events wait for it and are handled after it, in their order.
   * Up to 1,000 events of a key wait; further events go to the dead letters with reason
   * TOO_MANY_WAITING. If no start arrives within {@link KeyedApplication.Builder#idleEnd} after the
   * last of them, they go there with reason NOT_STARTED.
   */
  START_EVENT
}
