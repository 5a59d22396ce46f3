package io.weir.redrive;

/** Numbers that are as good as random, 16 to 32 bytes each; 0 is none of them. One thread. */
final class LongSet {
  private long[] slots = new long[64];
  private int size;

  /** Returns whether it was new. */
  boolean add(long number) {
    if (2 * (size + 1) > slots.length) {
      long[] before = slots;
      slots = new long[2 * before.length];
      for (long old : before) {
        if (old != 0) {
          slots[slot(old)] = old;
        }
      }
    }
    int slot = slot(number);
    if (number == 0 || slots[slot] == number) {
      return false;
    }
    slots[slot] = number;
    size++;
    return true;
  }

  boolean contains(long number) {
    return number != 0 && slots[slot(number)] == number;
  }

  /** Where a number is, or would be. */
  private int slot(long number) {
    int slot = (int) (number ^ number >>> 32) & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != number) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }
}
