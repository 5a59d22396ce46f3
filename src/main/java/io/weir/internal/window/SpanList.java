package io.weir.internal.window;

/**
 * A sensor's windows, or its rollups of one size, in the order of their starts: an array with free
 * space at both ends and binary search. Adding the newest and dropping the oldest, the frequent
 * operations, cost O(1); adding in between moves the shorter side.
 */
final class SpanList<T extends Span> {
  /** Size from which it pays to move the shorter side. */
  private static final int MANY = 16;

  private Span[] slots = new Span[2];
  private int head;
  private int size;

  int size() {
    return size;
  }

  T get(int index) {
    return at(head + index);
  }

  T newest() {
    return at(head + size - 1);
  }

  /** The array has only elements of type T. */
  @SuppressWarnings("unchecked")
  private T at(int slot) {
    return (T) slots[slot];
  }

  /** Index of the first span that starts at or after {@code startMs}; size if none does. */
  int indexFrom(long startMs) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(middle).startMs() < startMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The span with that start, or null. */
  T find(long startMs) {
    int index = indexFrom(startMs);
    return index < size && get(index).startMs() == startMs ? get(index) : null;
  }

  /** Adds a span, or replaces the one with the same start. */
  void put(T span) {
    int index = indexFrom(span.startMs());
    if (index < size && get(index).startMs() == span.startMs()) {
      slots[head + index] = span;
    } else {
      insert(index, span);
    }
  }

  private void insert(int index, T span) {
    if (size >= MANY && index < size / 2) {
      if (head == 0) {
        makeRoom();
      }
      System.arraycopy(slots, head, slots, head - 1, index);
      head--;
    } else {
      if (head + size == slots.length) {
        makeRoom();
      }
      System.arraycopy(slots, head + index, slots, head + index + 1, size - index);
    }
    slots[head + index] = span;
    size++;
  }

  /** Leaves free space at the end, and also at the beginning if there are many. */
  private void makeRoom() {
    boolean enough = size <= slots.length / 2 && slots.length > 0;
    int length = enough ? slots.length : Math.max(2, slots.length * 2);
    Span[] next = new Span[length];
    int newHead = size < MANY ? 0 : (length - size) / 2;
    System.arraycopy(slots, head, next, newHead, size);
    slots = next;
    head = newHead;
  }

  T removeOldest() {
    T oldest = at(head);
    slots[head] = null;
    head++;
    size--;
    if (size == 0) {
      head = 0;
    }
    return oldest;
  }

  void remove(long startMs) {
    int index = indexFrom(startMs);
    if (index < size && get(index).startMs() == startMs) {
      System.arraycopy(slots, head + index + 1, slots, head + index, size - index - 1);
      size--;
      slots[head + size] = null;
    }
  }
}
