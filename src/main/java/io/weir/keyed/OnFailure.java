package io.weir.keyed;

/**
 * How the application continues after a handler has thrown an exception and its event was sent to
 * the dead letters.
 */
public enum OnFailure {
  /** The application continues, and the key keeps its state from before the call. */
  GO_ON,
  /**
   * The process makes no further call, commits the dead letter and closes itself. Events that it
   * has read wait in the state; after a restart, or in another process of the application, they are
   * handled first, in their order.
   */
  STOP
}
