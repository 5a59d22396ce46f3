package io.weir.lab.oracle;

import io.weir.internal.window.CloseReason;

/** Receives from {@link NaivePartition} what must be emitted, record by record. */
public interface Emissions {
  /** A place between two records; grows from record to record. */
  long position();

  /**
   * At this record the window must be emitted, or must have been since an earlier one.
   *
   * @param since the {@link #position()} from which on the emission was allowed
   */
  void due(NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since);

  /**
   * The window may have been emitted as IDLE with that content, and is about to change.
   *
   * @return whether it was
   */
  boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since);

  /** A window of which nothing was known any more begins again: its revisions do too. */
  void beginsAgain(NaiveWindows.Key key);
}
