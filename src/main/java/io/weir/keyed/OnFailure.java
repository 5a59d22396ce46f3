package io.weir.keyed;

/**
 * How the application continues after a handler has thrown an exception and its event was sent to
 * the dead letters.
 */
public enum OnFailure {
  /** The application continues, and the key keeps its state from before the call. */
  GO_ON,
  /**
   * The application stops, after the dead letter is committed. Events that it read before it
   * stopped are handled; after a restart it continues behind them.
   */
  STOP
}
