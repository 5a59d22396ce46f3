package io.weir.window;

import io.weir.reading.IdBytes;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Sensors by the bytes of their ids, looked up without making a string: open addressing with linear
 * probing, at most two thirds full. Where a sensor would be further from its place than chance ever
 * puts one, all get other places.
 *
 * <p>Gateways write their sensors in much the same order again and again, so the sensor behind a
 * sensor is remembered with it: where it is the one asked for, nothing is hashed and nothing
 * probed. Not safe for several threads.
 */
final class SensorTable {
  private static final int FIRST_SLOTS = 64;

  /** By chance the longest way in a table of a million sensors is about 200 slots. */
  static final int MOST_PROBES = 512;

  /** Odd; the places of hashes follow from it. */
  private int spread = ThreadLocalRandom.current().nextInt() | 1;

  /** Whether the places were changed since the table grew: hashes that are equal stay together. */
  private boolean spreadAgain;

  private SensorWindows[] slots = new SensorWindows[FIRST_SLOTS];

  /** Of the sensor in each slot: with many sensors, looking at one costs a cache miss. */
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
   * The sensor with that id, or null, where it is in a batch behind another. Costs a comparison of
   * ids where the order is the same as the last time; in any other order that and a look-up.
   *
   * @param before the sensor in front of it, of this table; null for none
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

  /** The sensor with that id, made where there was none. */
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

  /** Returns how far from its place the sensor is. */
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

  /** How far the sensor that is furthest from its place is from it; looks at each. */
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
   * Removes a sensor and moves up those behind it that probing would no longer reach.
   *
   * @return whether it was there
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

  /** Windows of all sensors; looks at each. */
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
    // The high bits of the product depend on all of the hash.
    return (hash * spread) >>> Integer.numberOfLeadingZeros(slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }
}
