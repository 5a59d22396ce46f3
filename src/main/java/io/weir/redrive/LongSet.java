package io.weir.redrive;

import java.security.SecureRandom;

/**
 * Numbers, 16 to 32 bytes each; 0 is none of them. Placed by a key that each set draws: a sender
 * who chooses contents until their numbers agree in some bits does not know where they are. One
 * thread.
 */
final class LongSet {
  private final long key = new SecureRandom().nextLong();
  private long[] slots = new long[64];
  private int size;
  private long steps;

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
    int slot = (int) mixed(number ^ key) & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != number) {
      slot = (slot + 1) & (slots.length - 1);
      steps++;
    }
    return slot;
  }

  /** The last steps of MurmurHash3: each bit depends on each. */
  private static long mixed(long number) {
    long once = (number ^ number >>> 33) * 0xff51afd7ed558ccdL;
    long twice = (once ^ once >>> 33) * 0xc4ceb9fe1a85ec53L;
    return twice ^ twice >>> 33;
  }

  /** How many slots were looked at that another number has, in all. */
  long steps() {
    return steps;
  }
}
