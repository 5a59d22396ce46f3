package io.weir.window.durable;

/**
 * Something of which a ring of records of changes has what changed: by a number, and so that each
 * change follows the one before. Not safe for several threads.
 */
public interface RingMember {
  /** Which one it is in the records of changes; 0 before its first entry. */
  int number();

  /** The record of changes that it was last written with; 0 for none. */
  long lastRecord();

  /** The first record that holds changes of it that its own entry lacks; 0 for none. */
  long changesFrom();

  /** All of it is in its own entry. */
  void writtenWhole(int itsNumber, long record);

  /** What changed of it is in a record of changes. */
  void writtenChanges(long record);

  /** Whether it is no longer part of the state. */
  boolean isRemoved();
}
