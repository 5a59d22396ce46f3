package io.weir.internal.event;

import io.weir.reading.IdBytes;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A hash table of entries by their bytes; look-ups use a range of a record without a copy. Open
 * addressing with a keyed hash, so that senders cannot choose keys that collide. Not thread-safe.
 */
final class KeyTable<E extends KeyTable.Entry> {
  /** An entry of a table; its bytes must not change. */
  abstract static class Entry {
    final byte[] key;
    final int hash;

    /** Its index among the entries to write, see {@link DirtyEntries}. */
    int touchedAt = DirtyEntries.NOWHERE;

    Entry(byte[] key) {
      this.key = key;
      this.hash = IdBytes.hash(key, 0, key.length);
    }

    final boolean isOf(byte[] bytes, int offset, int length) {
      return key.length == length && IdBytes.equal(key, 0, bytes, offset, length);
    }
  }

  private static final int SMALLEST = 8;

  private Entry[] slots = new Entry[SMALLEST];
  private int size;

  /** The entry of a range of a record, or null. A small table is scanned. */
  E get(byte[] bytes, int offset, int length) {
    if (slots.length == SMALLEST) {
      for (Entry entry : slots) {
        if (entry != null && entry.isOf(bytes, offset, length)) {
          return cast(entry);
        }
      }
      return null;
    }
    return get(bytes, offset, length, IdBytes.hash(bytes, offset, length));
  }

  E get(byte[] bytes, int offset, int length, int hash) {
    for (int at = hash & slots.length - 1; slots[at] != null; at = at + 1 & slots.length - 1) {
      Entry found = slots[at];
      if (found.hash == hash && found.isOf(bytes, offset, length)) {
        return cast(found);
      }
    }
    return null;
  }

  @SuppressWarnings("unchecked") // Only entries of this kind are added.
  private E cast(Entry entry) {
    return (E) entry;
  }

  /** Adds an entry with unique bytes. */
  void add(E entry) {
    if (4 * (size + 1) > 3 * slots.length) {
      resize(2 * slots.length);
    }
    place(entry);
    size++;
  }

  private void place(Entry entry) {
    int at = entry.hash & slots.length - 1;
    while (slots[at] != null) {
      at = at + 1 & slots.length - 1;
    }
    slots[at] = entry;
  }

  private void resize(int length) {
    Entry[] before = slots;
    slots = new Entry[length];
    for (Entry entry : before) {
      if (entry != null) {
        place(entry);
      }
    }
  }

  /** Removes an existing entry and moves up those behind it. */
  void remove(E entry) {
    int mask = slots.length - 1;
    int hole = entry.hash & mask;
    while (slots[hole] != entry) {
      hole = hole + 1 & mask;
    }
    for (int at = hole + 1 & mask; slots[at] != null; at = at + 1 & mask) {
      int wanted = slots[at].hash & mask;
      if ((at - wanted & mask) >= (at - hole & mask)) {
        slots[hole] = slots[at];
        hole = at;
      }
    }
    slots[hole] = null;
    size--;
    if (slots.length > SMALLEST && 8 * size < slots.length) {
      resize(slots.length / 2);
    }
  }

  int size() {
    return size;
  }

  void clear() {
    slots = new Entry[SMALLEST];
    size = 0;
  }

  void forEach(Consumer<E> action) {
    Arrays.stream(slots)
        .filter(entry -> entry != null)
        .forEach(entry -> action.accept(cast(entry)));
  }
}
