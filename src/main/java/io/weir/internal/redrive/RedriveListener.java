package io.weir.internal.redrive;

/** Observes a redrive. Called by its thread. */
public interface RedriveListener {
  /** Called after each transaction. */
  void progress(RedriveReport soFar);

  /** Whether to stop before the next transaction. */
  boolean isStopped();

  /** A record was not sent, and the operator must decide; the line names it. */
  default void left(String what) {}
}
