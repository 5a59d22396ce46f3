package io.weir.edge;

import io.weir.internal.wire.BatchColumns;
import java.util.Arrays;

/**
 * Finds the reading of a pending batch with the same sensor and timestamp: a hash table of indexes
 * into its columns, by linear probing. Guarded by the lock of the columns.
 */
final class FoldIndex {
  private static final int FIRST_SLOTS = 64;
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private int[] slots = new int[FIRST_SLOTS];

  /** The index of the reading with that sensor and timestamp, or -1. */
  int find(BatchColumns columns, String sensorId, int idHash, long timestampMs) {
    if (2 * columns.size() >= slots.length) {
      grow(columns);
    }
    int slot = slot(idHash, timestampMs);
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (columns.timestampMs(index) == timestampMs && columns.sensorId(index).equals(sensorId)) {
        return index;
      }
      slot = next(slot);
    }
    return -1;
  }

  /** Adds a reading that {@link #find} did not find. */
  void remember(int index, int idHash, long timestampMs) {
    int slot = slot(idHash, timestampMs);
    while (slots[slot] != 0) {
      slot = next(slot);
    }
    slots[slot] = index + 1;
  }

  void clear() {
    Arrays.fill(slots, 0);
  }

  private void grow(BatchColumns columns) {
    slots = new int[2 * slots.length];
    for (int index = 0; index < columns.size(); index++) {
      int slot = slot(columns.idHash(index), columns.timestampMs(index));
      while (slots[slot] != 0) {
        slot = next(slot);
      }
      slots[slot] = index + 1;
    }
  }

  private int slot(int idHash, long timestampMs) {
    long mixed = (idHash + timestampMs * 31) * MIXER;
    return (int) (mixed >>> Integer.SIZE) & (slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }
}
