package io.weir.internal.window.durable;

/**
 * An object with a number whose changes are in a ring of change records, each linked to the
 * previous one. Not safe for several threads.
 */
public interface RingMember {
  /** Its number in the change records; 0 before its first entry. */
  int number();

  /** The last change record with it; 0 for none. */
  long lastRecord();

  /** The first record with changes that its entry lacks; 0 for none. */
  long changesFrom();

  /** Its entry has all its state. */
  void writtenWhole(int itsNumber, long record);

  /** Its changes are in a change record. */
  void writtenChanges(long record);

  /** Whether it was removed from the state. */
  boolean isRemoved();
}
