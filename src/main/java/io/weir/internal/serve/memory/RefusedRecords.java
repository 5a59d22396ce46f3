package io.weir.internal.serve.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** The newest late records or dead letters, within a number of bytes. Safe for many threads. */
public final class RefusedRecords {
  private final long capacity;
  private final Deque<Numbered> newestFirst = new ArrayDeque<>();
  private long bytes;
  private long added;

  /**
   * A letter.
   *
   * @param number grows by one with each
   */
  public record Numbered(long number, RefusedRecord letter) {}

  /**
   * @param capacity bytes that they may take
   */
  RefusedRecords(long capacity) {
    this.capacity = capacity;
  }

  synchronized void add(RefusedRecord letter) {
    newestFirst.addFirst(new Numbered(++added, letter));
    bytes += letter.bytes();
    while (bytes > capacity && newestFirst.size() > 1) {
      bytes -= newestFirst.removeLast().letter().bytes();
    }
  }

  /**
   * Some of them, newest first.
   *
   * @param before only those with a smaller number
   */
  public synchronized List<Numbered> newest(
      long before, Predicate<RefusedRecord> wanted, int limit) {
    List<Numbered> found = new ArrayList<>();
    Iterator<Numbered> each = newestFirst.iterator();
    while (each.hasNext() && found.size() < limit) {
      Numbered numbered = each.next();
      if (numbered.number() < before && wanted.test(numbered.letter())) {
        found.add(numbered);
      }
    }
    return found;
  }

  synchronized long bytes() {
    return bytes;
  }
}
