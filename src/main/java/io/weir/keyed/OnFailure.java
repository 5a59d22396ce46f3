package io.weir.keyed;

/**
 * What becomes of the application once a handler has thrown an exception, and the event of that
 * call was sent to the dead letters.
 */
public enum OnFailure {
  /** It goes on, and so does the key: with its state as it was before the call. */
  GO_ON,
  /**
   * It stops, for a person to look: with the dead letter committed. Other events that were read
   * before it has stopped are handled; started again it goes on behind them.
   */
  STOP
}
