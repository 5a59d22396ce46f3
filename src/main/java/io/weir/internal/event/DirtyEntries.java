package io.weir.internal.event;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Entries that changed since their last write, each once, in the order of their first change. All
 * operations cost O(1) without hashing; an entry is in at most one instance. Not thread-safe.
 */
final class DirtyEntries<E extends KeyTable.Entry> {
  /** Where an entry is that is in none. */
  static final int NOWHERE = -1;

  /** Null where one was taken out. */
  private final List<E> entries = new ArrayList<>();

  void add(E entry) {
    if (entry.touchedAt == NOWHERE) {
      entry.touchedAt = entries.size();
      entries.add(entry);
    }
  }

  /** Takes out an entry that may be there. */
  void remove(E entry) {
    if (entry.touchedAt != NOWHERE) {
      entries.set(entry.touchedAt, null);
      entry.touchedAt = NOWHERE;
    }
  }

  void forEach(Consumer<E> action) {
    for (E entry : entries) {
      if (entry != null) {
        action.accept(entry);
      }
    }
  }

  void clear() {
    forEach(entry -> entry.touchedAt = NOWHERE);
    entries.clear();
  }
}
