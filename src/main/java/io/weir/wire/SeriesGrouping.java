package io.weir.wire;

import com.google.protobuf.CodedOutputStream;
import java.util.Arrays;

/**
 * Which readings of a batch make which series: those of one sensor, in their order, chained by
 * index; series in the order of their first readings. A sensor gets a second series only where the
 * difference of two neighbouring timestamps does not fit a long. Costs one hash probe a reading;
 * all arrays are kept for the next batch. For one thread at a time.
 */
final class SeriesGrouping {
  static final int END = -1;

  private int[] slots = new int[0];
  private int[] nextReading = new int[0];
  private long[] deltasMs = new long[0];
  private int[] firstReading = new int[0];
  private int[] lastReading = new int[0];
  private int[] readings = new int[0];
  private int[] deltaBytes = new int[0];
  private boolean[] allGood = new boolean[0];
  private int count;

  /** Groups the readings; what was grouped before is forgotten. */
  void group(BatchColumns columns) {
    reserve(columns.size());
    for (int reading = 0; reading < columns.size(); reading++) {
      int slot = slotOf(columns, reading);
      int series = slots[slot] - 1;
      if (series < 0 || overflows(columns, lastReading[series], reading)) {
        slots[slot] = start(reading) + 1;
        series = count - 1;
      } else {
        chain(columns, series, reading);
      }
      readings[series]++;
      deltaBytes[series] += CodedOutputStream.computeSInt64SizeNoTag(deltasMs[reading]);
      allGood[series] &= columns.isGood(reading);
    }
  }

  /** How many series there are. */
  int count() {
    return count;
  }

  int firstReading(int series) {
    return firstReading[series];
  }

  /** The reading after this one in its series, or {@link #END}. */
  int nextReading(int reading) {
    return nextReading[reading];
  }

  /** Milliseconds to the reading before in its series; 0 for the first one. */
  long deltaMs(int reading) {
    return deltasMs[reading];
  }

  int readings(int series) {
    return readings[series];
  }

  /** Bytes that the deltas take as zigzag varints. */
  int deltaBytes(int series) {
    return deltaBytes[series];
  }

  boolean allGood(int series) {
    return allGood[series];
  }

  private int start(int reading) {
    firstReading[count] = reading;
    lastReading[count] = reading;
    nextReading[reading] = END;
    deltasMs[reading] = 0;
    readings[count] = 0;
    deltaBytes[count] = 0;
    allGood[count] = true;
    return count++;
  }

  private void chain(BatchColumns columns, int series, int reading) {
    int before = lastReading[series];
    nextReading[before] = reading;
    nextReading[reading] = END;
    deltasMs[reading] = columns.timestampMs(reading) - columns.timestampMs(before);
    lastReading[series] = reading;
  }

  /** The slot of the reading's sensor, by linear probing; a slot holds a series + 1, 0 is free. */
  private int slotOf(BatchColumns columns, int reading) {
    int mask = slots.length - 1;
    int hash = columns.idHash(reading);
    // All sensors of a partition share the low bits of the hash that places them.
    int slot = (hash ^ hash >>> 6 ^ hash >>> 16) & mask;
    while (slots[slot] != 0 && !sameSensor(columns, firstReading[slots[slot] - 1], reading)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static boolean sameSensor(BatchColumns columns, int one, int other) {
    return columns.idHash(one) == columns.idHash(other)
        && columns.sensorId(one).equals(columns.sensorId(other));
  }

  private static boolean overflows(BatchColumns columns, int before, int reading) {
    long from = columns.timestampMs(before);
    long to = columns.timestampMs(reading);
    return ((to ^ from) & (to ^ (to - from))) < 0;
  }

  private void reserve(int size) {
    count = 0;
    if (nextReading.length < size) {
      slots = new int[4 * Integer.highestOneBit(size)];
      nextReading = new int[size];
      deltasMs = new long[size];
      firstReading = new int[size];
      lastReading = new int[size];
      readings = new int[size];
      deltaBytes = new int[size];
      allGood = new boolean[size];
    } else {
      Arrays.fill(slots, 0);
    }
  }
}
