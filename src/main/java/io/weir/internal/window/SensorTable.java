package io.weir.internal.window;

import io.weir.reading.IdBytes;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * A hash table of sensors by the bytes of their ids: open addressing with linear probing, at most
 * two thirds full. If a probe is longer than chance allows, the table rehashes with another factor.
 *
 * <p>Gateways usually write their sensors in the same order, so each sensor stores its successor:
 * if that matches, no hash and no probe is needed. Not thread-safe.
 */
final class SensorTable {
  private static final int FIRST_SLOTS = 64;

  /** The expected longest probe in a table of a million sensors is about 200 slots. */
  static final int MOST_PROBES = 512;

  /** Odd factor that maps hashes to slots. */
  private int spread = ThreadLocalRandom.current().nextInt() | 1;

  /** Whether the factor was changed since the table grew; that cannot separate equal hashes. */
  private boolean spreadAgain;

  private SensorWindows[] slots = new SensorWindows[FIRST_SLOTS];

  /** The hash of the sensor in each slot, which avoids a cache miss per probe. */
  private int[] hashes = new int[FIRST_SLOTS];

  private int size;

  /** The sensor with that id, or null. */
  SensorWindows find(byte[] bytes, int offset, int length, int hash) {
    for (int slot = home(hash); slots[slot] != null; slot = next(slot)) {
      if (hashes[slot] == hash && slots[slot].isOf(bytes, offset, length)) {
        return slots[slot];
      }
    }
    return null;
  }

  /**
   * The sensor with that id that follows another in a batch, or null. Costs a comparison of ids if
   * the order is the same as the last time, else also a look-up.
   *
   * @param before the previous sensor, of this table; null for none
   */
  SensorWindows findAfter(SensorWindows before, byte[] bytes, int offset, int length) {
    if (before == null) {
      return find(bytes, offset, length, IdBytes.hash(bytes, offset, length));
    }
    SensorWindows follower = before.follower;
    if (follower != null && !follower.removed && follower.isOf(bytes, offset, length)) {
      return follower;
    }
    SensorWindows sensor = find(bytes, offset, length, IdBytes.hash(bytes, offset, length));
    if (sensor != null) {
      before.follower = sensor;
    }
    return sensor;
  }

  /** The sensor with that id, created if necessary. */
  SensorWindows findOrAdd(byte[] bytes, int offset, int length, int hash) {
    SensorWindows sensor = find(bytes, offset, length, hash);
    if (sensor == null) {
      sensor = new SensorWindows(Arrays.copyOfRange(bytes, offset, offset + length), hash);
      if ((size + 1) * 3L > slots.length * 2L) {
        grow();
      }
      size++;
      if (place(sensor) > MOST_PROBES && !spreadAgain) {
        spreadAgain = true;
        spread = ThreadLocalRandom.current().nextInt() | 1;
        rehash(slots.length);
      }
    }
    return sensor;
  }

  private void grow() {
    spreadAgain = false;
    rehash(slots.length * 2);
  }

  private void rehash(int newSlots) {
    SensorWindows[] old = slots;
    slots = new SensorWindows[newSlots];
    hashes = new int[newSlots];
    for (SensorWindows sensor : old) {
      if (sensor != null) {
        place(sensor);
      }
    }
  }

  /** Returns the length of the sensor's probe. */
  private int place(SensorWindows sensor) {
    int slot = home(sensor.hash());
    int probes = 0;
    while (slots[slot] != null) {
      slot = next(slot);
      probes++;
    }
    slots[slot] = sensor;
    hashes[slot] = sensor.hash();
    return probes;
  }

  /** The length of the longest probe; visits each sensor. */
  int longestProbe() {
    int longest = 0;
    for (int slot = 0; slot < slots.length; slot++) {
      if (slots[slot] != null) {
        longest = Math.max(longest, (slot - home(hashes[slot])) & (slots.length - 1));
      }
    }
    return longest;
  }

  /**
   * Removes a sensor and moves up the sensors that probing would no longer reach.
   *
   * @return whether it existed
   */
  boolean remove(SensorWindows sensor) {
    int gap = home(sensor.hash());
    while (slots[gap] != sensor) {
      if (slots[gap] == null) {
        return false;
      }
      gap = next(gap);
    }
    size--;
    sensor.removed = true;
    sensor.follower = null;
    for (int slot = next(gap); slots[slot] != null; slot = next(slot)) {
      int distance = (slot - home(hashes[slot])) & (slots.length - 1);
      if (distance >= ((slot - gap) & (slots.length - 1))) {
        slots[gap] = slots[slot];
        hashes[gap] = hashes[slot];
        gap = slot;
      }
    }
    slots[gap] = null;
    return true;
  }

  void forEach(Consumer<SensorWindows> action) {
    for (SensorWindows sensor : slots) {
      if (sensor != null) {
        action.accept(sensor);
      }
    }
  }

  /** Number of windows of all sensors; visits each sensor. */
  long countWindows() {
    long windows = 0;
    for (SensorWindows sensor : slots) {
      windows += sensor == null ? 0 : sensor.windows();
    }
    return windows;
  }

  int size() {
    return size;
  }

  void clear() {
    slots = new SensorWindows[FIRST_SLOTS];
    hashes = new int[FIRST_SLOTS];
    size = 0;
  }

  private int home(int hash) {
    // The high bits of the product depend on all bits of the hash.
    return (hash * spread) >>> Integer.numberOfLeadingZeros(slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }
}
