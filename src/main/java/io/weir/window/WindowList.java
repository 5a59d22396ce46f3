package io.weir.window;

/**
 * A sensor's windows in the order of their starts: an array with room at both ends, searched by
 * halves. Adding the newest and dropping the oldest, the two things that happen all the time, cost
 * O(1); adding in between moves the shorter side.
 */
final class WindowList {
  /** From here on it pays to move the shorter side. */
  private static final int MANY = 16;

  private Window[] slots = new Window[2];
  private int head;
  private int size;

  int size() {
    return size;
  }

  Window get(int index) {
    return slots[head + index];
  }

  Window newest() {
    return slots[head + size - 1];
  }

  /** Index of the first window that starts at or after {@code startMs}; size where none does. */
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

  /** The window that starts there, or null. */
  Window find(long startMs) {
    int index = indexFrom(startMs);
    return index < size && get(index).startMs() == startMs ? get(index) : null;
  }

  /** Adds a window, or replaces the one of its start. */
  void put(Window window) {
    int index = indexFrom(window.startMs());
    if (index < size && get(index).startMs() == window.startMs()) {
      slots[head + index] = window;
    } else {
      insert(index, window);
    }
  }

  private void insert(int index, Window window) {
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
    slots[head + index] = window;
    size++;
  }

  /** Leaves room behind the last, and where there are many before the first too. */
  private void makeRoom() {
    boolean enough = size <= slots.length / 2 && slots.length > 0;
    int length = enough ? slots.length : Math.max(2, slots.length * 2);
    Window[] next = new Window[length];
    int newHead = size < MANY ? 0 : (length - size) / 2;
    System.arraycopy(slots, head, next, newHead, size);
    slots = next;
    head = newHead;
  }

  Window removeOldest() {
    Window oldest = slots[head];
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
