package io.weir.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The different subjects of a fold's events: the first in the order of their bytes, and how many
 * there are, up to {@value #MOST_COUNTED}. Not safe for several threads.
 */
public final class Subjects {
  /** Listed one by one. */
  public static final int LISTED = 100;

  /** Distinguished from one another; beyond this number there are only "many". */
  public static final int MOST_COUNTED = 10_000;

  /** What a subject takes in memory beside its text. */
  static final int OVERHEAD_BYTES = 100;

  private static final class Subject extends KeyTable.Entry {
    Subject(byte[] subject) {
      super(subject);
    }
  }

  private final KeyTable<Subject> known = new KeyTable<>();

  /** In the order in which they came. */
  private final List<byte[]> inOrder = new ArrayList<>(2);

  private TreeSet<byte[]> listed;
  private long memoryBytes;

  /** Takes the subject of an event; an empty one is none. */
  void take(byte[] record, int offset, int length) {
    if (length == 0 || known.get(record, offset, length) != null) {
      return;
    }
    byte[] subject = Arrays.copyOfRange(record, offset, offset + length);
    list(subject);
    if (known.size() < MOST_COUNTED) {
      known.add(new Subject(subject));
      inOrder.add(subject);
      memoryBytes += subject.length + OVERHEAD_BYTES;
    }
  }

  private void list(byte[] subject) {
    if (listed == null) {
      listed = new TreeSet<>(Arrays::compareUnsigned);
    }
    listed.add(subject);
    if (listed.size() > LISTED) {
      listed.pollLast();
    }
  }

  /** Approximate memory of the distinguished ones, in bytes. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** The first {@value #LISTED}, in the order of their bytes. */
  public Collection<byte[]> listed() {
    return listed == null ? List.of() : listed;
  }

  /** How many there are, {@value #MOST_COUNTED} for more. */
  public int count() {
    return known.size();
  }

  /** The distinguished ones, in order of arrival. */
  public List<byte[]> inOrder() {
    return inOrder;
  }

  /** Restores one of the distinguished ones. */
  public void restore(byte[] subject) {
    take(subject, 0, subject.length);
  }

  /** Puts back one that was kept as listed alone. */
  public void restoreListed(byte[] subject) {
    list(subject);
  }
}
