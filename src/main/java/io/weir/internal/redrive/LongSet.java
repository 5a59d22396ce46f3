package io.weir.internal.redrive;

import java.security.SecureRandom;

/**
 * A hash set of non-zero numbers, 16 to 32 bytes each. A random key of each set determines the
 * slots, so that a sender cannot choose contents that collide. One thread.
 */
final class LongSet {
  private final long key = new SecureRandom().nextLong();
  private long[] slots = new long[64];
  private int size;
  private long steps;

  /** Adds a number; returns whether it was new. */
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

  /** The slot of a number, or the free one for it. */
  private int slot(long number) {
    int slot = (int) mixed(number ^ key) & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != number) {
      slot = (slot + 1) & (slots.length - 1);
      steps++;
    }
    return slot;
  }

  /** The finalizer of MurmurHash3: each bit depends on all bits. */
  private static long mixed(long number) {
    long once = (number ^ number >>> 33) * 0xff51afd7ed558ccdL;
    long twice = (once ^ once >>> 33) * 0xc4ceb9fe1a85ec53L;
    return twice ^ twice >>> 33;
  }

  /** The total number of probes that hit another number. */
  long steps() {
    return steps;
  }
}
