package io.weir.internal.window.durable;

import io.weir.internal.hot.CountedByMinute;

/**
 * Tracks the changes of a sensor that must be written, and the record of its last write. Not safe
 * for several threads.
 */
public abstract class DurableSensor extends CountedByMinute implements RingMember {
  private static final long NONE = Long.MAX_VALUE;
  private static final int UNCHANGED = -1;

  /** Its index among the changed sensors; -1 if it is unchanged. */
  private int changeIndex = UNCHANGED;

  /** Its number in the change records; 0 before its first entry. */
  private int number;

  /** The last change record with it; 0 for none. */
  private long lastRecord;

  /** Distance to the first change record that its entry lacks; -1 for none. */
  private short behindFirst = -1;

  /** Start of the first window that must be written, or is in the entry of this sensor. */
  private long unwrittenFromMs = NONE;

  /** Its index among the changed sensors; -1 if it is unchanged. */
  public final int changeIndex() {
    return changeIndex;
  }

  /** Marks it as changed since the last write. */
  public final void changeIndex(int index) {
    changeIndex = index;
  }

  /** Whether it changed since the last write. */
  public final boolean isChanged() {
    return changeIndex != UNCHANGED;
  }

  /** Its id in UTF-8; not to be changed. */
  public abstract byte[] id();

  @Override
  public final int number() {
    return number;
  }

  @Override
  public final long lastRecord() {
    return lastRecord;
  }

  @Override
  public final long changesFrom() {
    return behindFirst < 0 ? 0 : lastRecord - behindFirst;
  }

  @Override
  public final void writtenWhole(int itsNumber, long record) {
    number = itsNumber;
    lastRecord = record;
    behindFirst = -1;
  }

  @Override
  public final void writtenChanges(long record) {
    long first = behindFirst < 0 ? record : changesFrom();
    behindFirst = (short) Math.min(record - first, Short.MAX_VALUE);
    lastRecord = record;
  }

  /** The window with that start changed, or is in the entry of this sensor. */
  public final void windowChanged(long startMs) {
    unwrittenFromMs = Math.min(unwrittenFromMs, startMs);
  }

  /** No window that must be written starts before this. */
  public final long unwrittenFromMs() {
    return unwrittenFromMs;
  }

  /**
   * Marks all of it as written.
   *
   * @param attachedFromMs start of the first window in its entry; Long.MAX_VALUE for none
   */
  public final void written(long attachedFromMs) {
    changeIndex = UNCHANGED;
    unwrittenFromMs = attachedFromMs;
  }
}
