package io.weir.window.durable;

import io.weir.hot.CountedByMinute;

/**
 * What of a sensor has to be written, and where it was written last. Not safe for several threads.
 */
public abstract class DurableSensor extends CountedByMinute implements RingMember {
  private static final long NONE = Long.MAX_VALUE;
  private static final int UNCHANGED = -1;

  /** Its index among the sensors that changed since they were last written; -1 if it did not. */
  private int changeIndex = UNCHANGED;

  /** Which sensor it is in the records of changes; 0 before its first entry. */
  private int number;

  /** The record of changes that it was last written with; 0 for none. */
  private long lastRecord;

  /** How far that is behind the first one with changes that its own entry lacks; -1 for none. */
  private short behindFirst = -1;

  /** No window whose durable form is behind, or part of this sensor's, starts before this. */
  private long unwrittenFromMs = NONE;

  /** Its index among the sensors that changed since they were last written; -1 if it did not. */
  public final int changeIndex() {
    return changeIndex;
  }

  /** Says that it changed since it was last written. */
  public final void changeIndex(int index) {
    changeIndex = index;
  }

  /** Whether something of it changed since it was last written. */
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

  /** The window of that start changed, or is part of this sensor's durable form. */
  public final void windowChanged(long startMs) {
    unwrittenFromMs = Math.min(unwrittenFromMs, startMs);
  }

  /** None of its windows that has to be written starts before this. */
  public final long unwrittenFromMs() {
    return unwrittenFromMs;
  }

  /**
   * Says that all of it was written.
   *
   * @param attachedFromMs the start of the first window that is part of its durable form;
   *     Long.MAX_VALUE where none is
   */
  public final void written(long attachedFromMs) {
    changeIndex = UNCHANGED;
    unwrittenFromMs = attachedFromMs;
  }
}
