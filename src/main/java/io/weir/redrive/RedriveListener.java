package io.weir.redrive;

/** Looks on while records are sent. Called by the thread that sends. */
public interface RedriveListener {
  /** Called after each transaction. */
  void progress(RedriveReport soFar);

  /** Whether to end before the next transaction. */
  boolean isStopped();

  /** A record is left that the operator has to judge; a line that names it. */
  default void left(String what) {}
}
