package io.weir.internal.wire;

import java.util.Arrays;

/**
 * The sensors of a batch, numbered from 0 in the order of their first readings: a hash table by
 * linear probing, at most half full, that grows with the sensors and not with the readings. Keeps
 * its arrays when cleared. Not thread-safe.
 */
final class SensorIndex {
  private static final int FIRST_SENSORS = 16;

  /** A sensor's number + 1; 0 is free. */
  private int[] slots = new int[2 * FIRST_SENSORS];

  private String[] ids = new String[FIRST_SENSORS];
  private int[] hashes = new int[FIRST_SENSORS];
  private int size;

  /** The number of a sensor, assigned if necessary. */
  int findOrAdd(String id, int hash) {
    int slot = home(hash);
    while (slots[slot] != 0) {
      int sensor = slots[slot] - 1;
      if (hashes[sensor] == hash && ids[sensor].equals(id)) {
        return sensor;
      }
      slot = next(slot);
    }
    if (size == ids.length) {
      grow();
      slot = freeSlot(hash);
    }
    ids[size] = id;
    hashes[size] = hash;
    slots[slot] = ++size;
    return size - 1;
  }

  int size() {
    return size;
  }

  String id(int sensor) {
    return ids[sensor];
  }

  int hash(int sensor) {
    return hashes[sensor];
  }

  void clear() {
    Arrays.fill(ids, 0, size, null);
    Arrays.fill(slots, 0);
    size = 0;
  }

  private void grow() {
    // Allocate all first: after an OutOfMemoryError, ids, hashes and slots must be consistent.
    String[] moreIds = Arrays.copyOf(ids, 2 * size);
    int[] moreHashes = Arrays.copyOf(hashes, 2 * size);
    slots = new int[4 * size];
    ids = moreIds;
    hashes = moreHashes;
    for (int sensor = 0; sensor < size; sensor++) {
      slots[freeSlot(hashes[sensor])] = sensor + 1;
    }
  }

  private int freeSlot(int hash) {
    int slot = home(hash);
    while (slots[slot] != 0) {
      slot = next(slot);
    }
    return slot;
  }

  private int home(int hash) {
    // All sensors of a partition share the low bits of the hash that places them.
    return (hash ^ hash >>> 6 ^ hash >>> 16) & slots.length - 1;
  }

  private int next(int slot) {
    return slot + 1 & slots.length - 1;
  }
}
