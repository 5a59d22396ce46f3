package io.weir.window;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Sensors by the bytes of their ids, looked up without making a string: open addressing with linear
 * probing, at most two thirds full. Not safe for several threads.
 */
final class SensorTable {
  /** Ids of one partition agree in the low bits of their hash: those are spread by Fibonacci. */
  private static final int SPREAD = 0x9E3779B9;

  private SensorWindows[] slots = new SensorWindows[64];
  private int size;

  /** The sensor with that id, or null. */
  SensorWindows find(byte[] bytes, int offset, int length, int hash) {
    for (int slot = home(hash); slots[slot] != null; slot = next(slot)) {
      SensorWindows sensor = slots[slot];
      if (sensor.hash() == hash && sensor.isOf(bytes, offset, length)) {
        return sensor;
      }
    }
    return null;
  }

  /** The sensor with that id, made where there was none. */
  SensorWindows findOrAdd(byte[] bytes, int offset, int length, int hash) {
    SensorWindows sensor = find(bytes, offset, length, hash);
    if (sensor == null) {
      sensor = new SensorWindows(Arrays.copyOfRange(bytes, offset, offset + length), hash);
      if ((size + 1) * 3L > slots.length * 2L) {
        grow();
      }
      place(sensor);
      size++;
    }
    return sensor;
  }

  private void grow() {
    SensorWindows[] old = slots;
    slots = new SensorWindows[old.length * 2];
    for (SensorWindows sensor : old) {
      if (sensor != null) {
        place(sensor);
      }
    }
  }

  private void place(SensorWindows sensor) {
    int slot = home(sensor.hash());
    while (slots[slot] != null) {
      slot = next(slot);
    }
    slots[slot] = sensor;
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
    for (int slot = next(gap); slots[slot] != null; slot = next(slot)) {
      int distance = (slot - home(slots[slot].hash())) & (slots.length - 1);
      if (distance >= ((slot - gap) & (slots.length - 1))) {
        slots[gap] = slots[slot];
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

  int size() {
    return size;
  }

  void clear() {
    slots = new SensorWindows[64];
    size = 0;
  }

  private int home(int hash) {
    return (hash * SPREAD) >>> (Integer.numberOfLeadingZeros(slots.length) + 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }
}
