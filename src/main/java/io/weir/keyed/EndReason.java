package io.weir.keyed;

/** Why a key has ended. */
public enum EndReason {
  /** Its handler returned {@link Outcome#DONE}. */
  DONE,
  /** It had neither an event nor a timer for {@link KeyedApplication.Builder#idleEnd}. */
  IDLE
}
