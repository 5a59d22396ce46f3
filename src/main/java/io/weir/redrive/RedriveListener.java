package io.weir.redrive;

/** Looks on while records are sent. Called by the thread that sends. */
public interface RedriveListener {
  /** Called after each transaction. */
  void progress(RedriveReport soFar);

  /** Whether to end before the next transaction. */
  boolean isStopped();
}
