package io.weir.internal.wire;

import io.weir.reading.Quality;
import java.util.Arrays;

/**
 * The readings of a pending batch in columns, in the order of addition; a sensor's id is stored
 * once. Grows by doubling and keeps its arrays when cleared; adding costs one hash probe and four
 * array stores. Not thread-safe.
 */
public final class BatchColumns {
  private static final int FIRST_CAPACITY = 32;
  private static final int[] NO_NANOS = {};
  private static final byte GOOD = (byte) Quality.GOOD.number();

  private final SensorIndex sensors = new SensorIndex();
  private int[] sensorOf = new int[FIRST_CAPACITY];
  private long[] timestampsMs = new long[FIRST_CAPACITY];
  private double[] values = new double[FIRST_CAPACITY];
  private byte[] qualities = new byte[FIRST_CAPACITY];

  /** Nanoseconds below the millisecond; empty while all are 0. */
  private int[] nanos = NO_NANOS;

  private int size;

  /**
   * Adds a reading at the end.
   *
   * @param idHash a hash of the sensor id: the same for the same id, well spread over ids
   */
  public void add(String sensorId, int idHash, long timestampMs, double value, Quality quality) {
    if (size == sensorOf.length) {
      grow();
    }
    sensorOf[size] = sensors.findOrAdd(sensorId, idHash);
    timestampsMs[size] = timestampMs;
    values[size] = value;
    qualities[size] = (byte) quality.number();
    size++;
  }

  /** Sets the nanoseconds below the millisecond of the reading added last. */
  public void nanosOfLast(int nanosOfMs) {
    if (nanosOfMs != 0 || nanos.length > 0) {
      if (nanos.length < size) {
        nanos = Arrays.copyOf(nanos, sensorOf.length);
      }
      nanos[size - 1] = nanosOfMs;
    }
  }

  /** Whether a reading has a time between two milliseconds. */
  boolean hasNanos() {
    return nanos.length > 0;
  }

  /** The nanoseconds below the millisecond of a reading. */
  int nanos(int index) {
    return index < nanos.length ? nanos[index] : 0;
  }

  /** Replaces the value and quality of the reading at {@code index}. */
  public void replace(int index, double value, Quality quality) {
    values[index] = value;
    qualities[index] = (byte) quality.number();
  }

  public int size() {
    return size;
  }

  public String sensorId(int index) {
    return sensors.id(sensorOf[index]);
  }

  public int idHash(int index) {
    return sensors.hash(sensorOf[index]);
  }

  /** Number of sensors with readings. */
  int sensors() {
    return sensors.size();
  }

  /** The number of a reading's sensor, from 0 in the order of first readings. */
  int sensorOf(int index) {
    return sensorOf[index];
  }

  public long timestampMs(int index) {
    return timestampsMs[index];
  }

  public double value(int index) {
    return values[index];
  }

  /** The number in {@code weir.v1.Quality}. */
  public int qualityNumber(int index) {
    return qualities[index];
  }

  boolean isGood(int index) {
    return qualities[index] == GOOD;
  }

  /** Removes the readings and keeps the arrays. */
  public void clear() {
    sensors.clear();
    nanos = NO_NANOS;
    size = 0;
  }

  private void grow() {
    int capacity = 2 * size;
    // Allocate all first: after an OutOfMemoryError the columns must have the same length.
    int[] moreSensorOf = Arrays.copyOf(sensorOf, capacity);
    long[] moreTimestampsMs = Arrays.copyOf(timestampsMs, capacity);
    double[] moreValues = Arrays.copyOf(values, capacity);
    qualities = Arrays.copyOf(qualities, capacity);
    sensorOf = moreSensorOf;
    timestampsMs = moreTimestampsMs;
    values = moreValues;
  }

  /**
   * The sensors of a batch, numbered from 0 in the order of their first readings: a hash table by
   * linear probing, at most half full, that grows with the sensors and not with the readings. Keeps
   * its arrays when cleared. Not thread-safe.
   */
  static final class SensorIndex {
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
}
