package io.weir.internal.window.durable;

import java.util.Arrays;

/**
 * The first readings of each sensor since its last write, in the order of arrival, each with its
 * window. Sensors have an index. Costs 16 to 20 bytes of heap per reading and 5 to 7 per sensor;
 * with many sensors two readings each are stored on average. Not safe for several threads.
 */
public final class UnwrittenReadings {
  /** Maximum per sensor: above it, the aggregate is shorter than the readings. */
  public static final int MOST = 8;

  /** Minimum capacity in readings. */
  private static final int FEW = 4096;

  /** By sensor: the number of stored readings. */
  private byte[] kept = new byte[64];

  /** By sensor: the last one; undefined if none is stored. */
  private int[] last = new int[64];

  private double[] values = new double[64];

  /** By reading: the number of its window, from {@link #baseMs}. */
  private int[] windows = new int[64];

  /** By reading: the previous one of the same sensor. */
  private int[] before = new int[64];

  private int readings;
  private int sensors;
  private long baseMs;
  private long sizeMs = 1;

  /** Adds the next sensor, without readings. */
  public void begin(int sensor) {
    sensors = sensor + 1;
    if (sensor >= kept.length) {
      int length = sensor + sensor / 4;
      kept = Arrays.copyOf(kept, length);
      last = Arrays.copyOf(last, length);
    }
    kept[sensor] = 0;
  }

  /**
   * Adds readings of a sensor in a window: stores the first ones, if there is room.
   *
   * @param added has them from an index, inclusive, to another, exclusive
   */
  public void add(
      int sensor, double[] added, int from, int to, long windowStartMs, long windowSizeMs) {
    int some = Math.min(to - from, MOST - kept[sensor]);
    if (some <= 0 || readings > FEW + 2 * sensors) {
      return;
    }
    if (readings == 0) {
      baseMs = windowStartMs;
      sizeMs = windowSizeMs;
    }
    long window = (windowStartMs - baseMs) / sizeMs;
    if (window != (int) window) {
      return;
    }
    makeRoom(readings + some);
    for (int i = from; i < from + some; i++) {
      values[readings] = added[i];
      windows[readings] = (int) window;
      before[readings] = last[sensor];
      last[sensor] = readings++;
    }
    kept[sensor] += (byte) some;
  }

  private void makeRoom(int number) {
    if (number > values.length) {
      int length = number + number / 4;
      values = Arrays.copyOf(values, length);
      windows = Arrays.copyOf(windows, length);
      before = Arrays.copyOf(before, length);
    }
  }

  /**
   * Returns the stored readings of a window, in the order of arrival.
   *
   * @param into receives up to {@value #MOST}; unused elements are not changed
   * @return their number, 0 to {@value #MOST}
   */
  public int of(int sensor, long windowStartMs, double[] into) {
    int found = 0;
    int reading = last[sensor];
    for (int i = kept[sensor]; i > 0; i--) {
      if (baseMs + windows[reading] * sizeMs == windowStartMs) {
        into[found++] = values[reading];
      }
      reading = before[reading];
    }
    for (int i = 0, j = found - 1; i < j; i++, j--) {
      double swapped = into[i];
      into[i] = into[j];
      into[j] = swapped;
    }
    return found;
  }

  /** Removes all readings and sensors. */
  public void clear() {
    if (values.length > FEW && values.length / 4 > readings) {
      values = new double[64];
      windows = new int[64];
      before = new int[64];
    }
    readings = 0;
    sensors = 0;
  }
}
