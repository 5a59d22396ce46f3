package io.weir.internal.store;

/**
 * What a task keeps on the heap, and how it is written to a changelog and read back from it. A
 * {@link HeapStore} holds one. Called by the task's thread only.
 */
public interface HeapState {
  /**
   * Puts back an entry that was kept; a null value takes it out. Entries come in the order of the
   * changelog, which may be compacted.
   *
   * @throws StateMismatchException if the entry is damaged, or the state is not one that this
   *     version and these settings can continue
   */
  void restore(byte[] key, byte[] value);

  /**
   * Continues after all that was kept has been read back; called before the first record.
   *
   * @throws StateMismatchException if something is missing
   */
  void resume();

  /**
   * Writes what changed since the last call; deletions of a key come before what is put there
   * again. Only records change a state: what is written without one would be in a transaction
   * without offsets. Costs what changed, not what is kept.
   */
  void flush(ChangeLog log);

  /** Forgets everything at once, written or not. */
  void clear();

  /** Append time of the last record applied, in milliseconds: entries carry it, or less. */
  long appendMs();
}
