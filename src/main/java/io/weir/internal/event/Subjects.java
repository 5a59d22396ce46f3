package io.weir.internal.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The distinct subjects of a fold's events: the first ones in byte order, and their number, up to
 * {@value #MOST_COUNTED}. Not thread-safe.
 */
public final class Subjects {
  /** Maximum number of listed subjects. */
  public static final int LISTED = 100;

  /** Maximum number of subjects that are counted. */
  public static final int MOST_COUNTED = 10_000;

  /** Memory of a subject besides its text, in bytes. */
  static final int OVERHEAD_BYTES = 100;

  private static final class Subject extends KeyTable.Entry {
    Subject(byte[] subject) {
      super(subject);
    }
  }

  private final KeyTable<Subject> known = new KeyTable<>();

  /** In order of arrival. */
  private final List<byte[]> inOrder = new ArrayList<>(2);

  private TreeSet<byte[]> listed;
  private long memoryBytes;

  /** Adds the subject of an event, unless it is empty. */
  void add(byte[] record, int offset, int length) {
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

  /** Number of distinct subjects, at most {@value #MOST_COUNTED}. */
  public int count() {
    return known.size();
  }

  /** The distinguished ones, in order of arrival. */
  public List<byte[]> inOrder() {
    return inOrder;
  }

  /** Restores one of the distinguished ones. */
  public void restore(byte[] subject) {
    add(subject, 0, subject.length);
  }

  /** Restores a subject that was stored only as listed. */
  public void restoreListed(byte[] subject) {
    list(subject);
  }
}
