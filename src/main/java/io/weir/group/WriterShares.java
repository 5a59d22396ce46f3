package io.weir.group;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The memory of groups per writer: a writer above its share cannot evict the groups of others.
 * Summaries do not name their sender, so the writer is the part of a group's name before its first
 * slash. Choosing a writer to evict checks at most {@value #SHARES} writers. Not thread-safe.
 */
final class WriterShares<T> {
  /** A writer above one of so many parts of the budget pays first. */
  static final int SHARES = 8;

  private final Comparator<T> order;
  private final long shareBytes;
  private final Map<String, Writer<T>> writers = new HashMap<>();

  /** Those above their share: fewer than there are shares, once there is room. */
  private final Set<Writer<T>> above = new HashSet<>();

  private static final class Writer<T> {
    private final String name;
    private final TreeSet<T> items;
    private long bytes;

    Writer(String name, Comparator<T> order) {
      this.name = name;
      this.items = new TreeSet<>(order);
    }
  }

  /**
   * @param order in which what a writer has is given up
   */
  WriterShares(Comparator<T> order, long budgetBytes) {
    this.order = order;
    this.shareBytes = budgetBytes / SHARES;
  }

  static String writer(String group) {
    int slash = group.indexOf('/');
    return slash < 0 ? group : group.substring(0, slash);
  }

  /** What a group's writer has becomes so much more, or less. */
  void grow(String group, long bytes) {
    Writer<T> writer = of(group);
    writer.bytes += bytes;
    if (writer.bytes > shareBytes) {
      above.add(writer);
    } else {
      above.remove(writer);
    }
    removeIfEmpty(writer);
  }

  void add(String group, T item) {
    of(group).items.add(item);
  }

  void remove(String group, T item) {
    Writer<T> writer = of(group);
    writer.items.remove(item);
    removeIfEmpty(writer);
  }

  private Writer<T> of(String group) {
    return writers.computeIfAbsent(writer(group), name -> new Writer<>(name, order));
  }

  private void removeIfEmpty(Writer<T> writer) {
    if (writer.bytes == 0 && writer.items.isEmpty()) {
      writers.remove(writer.name);
    }
  }

  /** The first of the writer that has most and more than its share; null where none has. */
  T firstAboveShare() {
    Writer<T> most = null;
    for (Writer<T> writer : above) {
      if (most == null
          || writer.bytes > most.bytes
          || writer.bytes == most.bytes && writer.name.compareTo(most.name) < 0) {
        most = writer;
      }
    }
    return most == null ? null : most.items.first();
  }

  void clear() {
    writers.clear();
    above.clear();
  }
}
