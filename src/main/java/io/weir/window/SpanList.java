package io.weir.window;

/**
 * A sensor's windows, or its rollups of one size, in the order of their starts: an array with room
 * at both ends, searched by halves. Adding the newest and dropping the oldest, the two things that
 * happen all the time, cost O(1); adding in between moves the shorter side.
 */
final class SpanList<T extends Span> {
  /** From here on it pays to move the shorter side. */
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

  /** Nothing but what was put in is in the array. */
  @SuppressWarnings("unchecked")
  private T at(int slot) {
    return (T) slots[slot];
  }

  /** Index of the first that starts at or after {@code startMs}; size where none does. */
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

  /** The one that starts there, or null. */
  T find(long startMs) {
    int index = indexFrom(startMs);
    return index < size && get(index).startMs() == startMs ? get(index) : null;
  }

  /** Adds one, or replaces that of its start. */
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

  /** Leaves room behind the last, and where there are many before the first too. */
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
