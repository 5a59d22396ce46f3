package io.weir.keyed;

/** Which event begins a key's life. */
public enum StartOn {
  /** Any. */
  ANY_EVENT,
  /**
   * One with {@code start}. Others wait for it, up to 1,000 of a key and for {@link
   * KeyedApplication.Builder#idleEnd} after the last of them, and are handled after it, in their
   * order; those for which there is no room, or that have waited too long, go to the dead letters,
   * reasons TOO_MANY_WAITING and NOT_STARTED.
   */
  START_EVENT
}
