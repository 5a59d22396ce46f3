package io.weir.internal.group;

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
  /** A writer above this fraction of the budget is evicted first. */
  static final int SHARES = 8;

  private final Comparator<T> order;
  private final long shareBytes;
  private final Map<String, Writer<T>> writers = new HashMap<>();

  /** Writers above their share: fewer than {@link #SHARES}, if the budget is met. */
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
   * @param order order in which the items of a writer are evicted
   */
  WriterShares(Comparator<T> order, long budgetBytes) {
    this.order = order;
    this.shareBytes = budgetBytes / SHARES;
  }

  static String writer(String group) {
    int slash = group.indexOf('/');
    return slash < 0 ? group : group.substring(0, slash);
  }

  /** Changes the bytes of a group's writer. */
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

  /** The first item of the largest writer above its share; null if there is none. */
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
