package io.weir.internal.store;

import io.weir.internal.window.durable.RingMember;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The members of one kind that a {@link ChangeRing} has changes of: their numbers, and which of
 * them need which of its records. Called by the task's thread only.
 */
final class RingMembers<T extends RingMember> {
  /** What the members are, and how one is written. */
  interface Source<T> {
    void forEach(Consumer<T> action);

    /** Writes all of a member into its own entry, with the record under way. */
    void writeWhole(T member, ChangeLog log) throws IOException;
  }

  private final Source<T> source;

  /**
   * By slot: members of which changes were first written into the record there. Some were written
   * whole since.
   */
  private final List<List<T>> firstChanged = new ArrayList<>();

  /** Those that members have. */
  private final BitSet numbers = new BitSet();

  /** No smaller one is free. */
  private int freeFrom = 1;

  /** By number, for reading only; null where it has to be made. */
  private Object[] byNumber;

  /** Members that were deleted, of which a replica of the changelog has the entries again. */
  private final List<T> stale = new ArrayList<>();

  /** Numbers of members whose changes were left out, and the last record that had any. */
  private final Map<Integer, Long> leftOut = new HashMap<>();

  RingMembers(Source<T> source, int slots) {
    this.source = source;
    for (int i = 0; i < slots; i++) {
      firstChanged.add(new ArrayList<>());
    }
  }

  /** How many members have a number. */
  int size() {
    return numbers.cardinality();
  }

  /** A record begins, in the place of another: writes the members that still need that one. */
  void begin(long record, ChangeLog log) throws IOException {
    long before = record - firstChanged.size();
    List<T> needing = firstChanged.set(slotOf(record), new ArrayList<>());
    for (T member : needing) {
      if (member.changesFrom() == before && !member.isRemoved()) {
        source.writeWhole(member, log);
      }
    }
  }

  /** A member was deleted: its changes are needed no longer. */
  void delete(int number) {
    numbers.clear(number);
    freeFrom = Math.min(freeFrom, number);
  }

  /**
   * Whether what changed of a member is written into a record, and not all of it into its own
   * entry. Members that came at one time are not written whole at one time again.
   */
  boolean takes(T member, long record) {
    int slots = firstChanged.size();
    long first = member.changesFrom();
    return member.lastRecord() > 0
        && (first == 0 || record - first < slots * 3 / 4 + member.number() % (slots / 4));
  }

  private int slotOf(long record) {
    return (int) (record % firstChanged.size());
  }

  /** What changed of a member was written into a record. */
  void written(T member, long record) {
    if (member.changesFrom() == 0) {
      firstChanged.get(slotOf(record)).add(member);
    }
    member.writtenChanges(record);
  }

  /** The number of a member, given where it has none. */
  int numberOf(T member) {
    if (member.number() > 0) {
      return member.number();
    }
    int number = numbers.nextClearBit(freeFrom);
    numbers.set(number);
    freeFrom = number + 1;
    return number;
  }

  /** A member was read from its own entry. */
  void restored(T member) {
    if (byNumber != null) {
      index(member);
    }
    leftOut.remove(member.number());
  }

  /**
   * The member that the change of a record is of.
   *
   * @param before the record that it has to follow
   * @return null where the change is to be left out
   */
  T changed(int number, long before, long record) {
    T member = find(number);
    if (member != null && member.lastRecord() == before) {
      return member;
    }
    leftOut.put(number, record);
    return null;
  }

  /** Its entry was deleted too: whether the member is back since, that says. */
  void restoreDeleted(int[] deleted) {
    for (int number : deleted) {
      leftOut.remove(number);
    }
  }

  /** Of records before that one nothing is needed any more. */
  void forgetLeftOut(long before) {
    leftOut.values().removeIf(record -> record < before);
  }

  /** Of two with one number, one was read from an entry that was deleted since. */
  @SuppressWarnings("unchecked") // Only members are put in.
  private void index(T member) {
    int number = member.number();
    if (number >= byNumber.length) {
      byNumber = Arrays.copyOf(byNumber, Math.max(number + 1, 2 * byNumber.length));
    }
    T other = (T) byNumber[number];
    boolean newer =
        other == null
            || other.isRemoved()
            || other.number() != number
            || other.lastRecord() <= member.lastRecord();
    if (newer) {
      byNumber[number] = member;
    }
  }

  @SuppressWarnings("unchecked") // Only members are put in.
  private T find(int number) {
    if (byNumber == null) {
      byNumber = new Object[1024];
      source.forEach(this::index);
    }
    T member = number > 0 && number < byNumber.length ? (T) byNumber[number] : null;
    return member == null || member.isRemoved() || member.number() != number ? null : member;
  }

  /**
   * Goes on after all that was kept has been read back.
   *
   * @param needed the first record that a member may need
   * @return whether all changes that the members need were there
   */
  boolean resume(long needed) {
    stale.clear();
    byNumber = new Object[1024];
    source.forEach(this::index);
    firstChanged.forEach(List::clear);
    numbers.clear();
    freeFrom = 1;
    boolean[] whole = {leftOut.isEmpty()};
    source.forEach(
        member -> {
          if (member.number() > 0) {
            if (find(member.number()) != member) {
              stale.add(member);
              return;
            }
            numbers.set(member.number());
          }
          long first = member.changesFrom();
          if (first > 0) {
            whole[0] &= first >= needed;
            firstChanged.get(slotOf(first)).add(member);
          }
        });
    byNumber = null;
    return whole[0];
  }

  /**
   * Members that others have the numbers of since: they are to be dropped after {@link #resume}.
   */
  List<T> stale() {
    return stale;
  }

  /** Forgets everything at once, written or not. */
  void clear() {
    firstChanged.forEach(List::clear);
    numbers.clear();
    freeFrom = 1;
    byNumber = null;
    stale.clear();
    leftOut.clear();
  }
}
