package io.weir.keyed;

/** Whether a key goes on after an event. */
public enum Outcome {
  /** The key lives on. */
  CONTINUE,
  /**
   * The key has ended: {@link KeyHandler#end} is called, then its state is deleted and its timers
   * are taken away.
   */
  DONE
}
