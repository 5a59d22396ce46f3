package io.weir.keyed;

/** Whether a key continues after an event. */
public enum Outcome {
  /** The key continues. */
  CONTINUE,
  /**
   * The key has ended: {@link KeyHandler#end} is called, then its state and its timers are deleted.
   */
  DONE
}
