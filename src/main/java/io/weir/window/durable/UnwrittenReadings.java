package io.weir.window.durable;

import java.util.Arrays;

/**
 * The first readings that each of many sensors took since it was last written, in the order in
 * which they came, each with its window. Sensors are named by an index. Costs 16 to 20 bytes of
 * heap a reading, 5 to 7 a sensor; where sensors are many, two readings each are kept in the
 * average. Not safe for several threads.
 */
public final class UnwrittenReadings {
  /** No more of one sensor are kept: with more, their aggregate is shorter. */
  public static final int MOST = 8;

  /** So many readings are kept, however few the sensors are. */
  private static final int FEW = 4096;

  /** By sensor: how many are kept. */
  private byte[] kept = new byte[64];

  /** By sensor: the last one; of no meaning where none is kept. */
  private int[] last = new int[64];

  private double[] values = new double[64];

  /** By reading: its window, counted from {@link #baseMs}. */
  private int[] windows = new int[64];

  /** By reading: the one of the same sensor before it. */
  private int[] before = new int[64];

  private int readings;
  private int sensors;
  private long baseMs;
  private long sizeMs = 1;

  /** Begins the next sensor, with none. */
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
   * A sensor took readings in the window that starts then: the first of them are kept, if there is
   * room.
   *
   * @param taken has them from an index to before another
   */
  public void add(
      int sensor, double[] taken, int from, int to, long windowStartMs, long windowSizeMs) {
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
      values[readings] = taken[i];
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
   * Gives the kept readings of a window, in the order in which they came.
   *
   * @param into room for {@value #MOST}; what is not used keeps what it had
   * @return how many are kept, 0 to {@value #MOST}
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

  /** Forgets all readings; sensors begin again. */
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
