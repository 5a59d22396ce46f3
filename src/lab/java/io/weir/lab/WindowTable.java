package io.weir.lab;

import io.weir.internal.text.SummaryRow;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Rows of windows found by (sensor, start, end), without an object for each: a row is eight longs
 * in a block of many, and an open hash table leads to it. One thread.
 */
final class WindowTable {
  private static final int ROW_LONGS = 8;
  private static final int BLOCK_BITS = 12;
  private static final int BLOCK_ROWS = 1 << BLOCK_BITS;
  private static final int EMPTY = -1;

  // Columns of a row. The last holds the sensor in its upper half, the revision in its lower.
  private static final int START = 0;
  private static final int END = 1;
  private static final int COUNT = 2;
  private static final int BAD_COUNT = 3;
  private static final int SUM = 4;
  private static final int MIN = 5;
  private static final int MAX = 6;
  private static final int SENSOR_AND_REVISION = 7;

  private final List<long[]> blocks = new ArrayList<>();
  private int size;
  private int[] index = emptyIndex(1 << 10);

  /** The row of a window; a new one, with nothing in it, where there was none. */
  int find(int sensor, long start, long end) {
    int place = place(sensor, start, end, index.length);
    for (; index[place] != EMPTY; place = (place + 1) & (index.length - 1)) {
      int row = index[place];
      if (start(row) == start && end(row) == end && sensor(row) == sensor) {
        return row;
      }
    }
    int row = add(sensor, start, end);
    index[place] = row;
    if (3L * size > 2L * index.length) {
      growIndex();
    }
    return row;
  }

  private int add(int sensor, long start, long end) {
    if (size == blocks.size() << BLOCK_BITS) {
      blocks.add(new long[BLOCK_ROWS * ROW_LONGS]);
    }
    int row = size++;
    put(row, START, start);
    put(row, END, end);
    put(row, SENSOR_AND_REVISION, (long) sensor << 32);
    return row;
  }

  private void growIndex() {
    int[] larger = emptyIndex(2 * index.length);
    for (int row = 0; row < size; row++) {
      int place = place(sensor(row), start(row), end(row), larger.length);
      while (larger[place] != EMPTY) {
        place = (place + 1) & (larger.length - 1);
      }
      larger[place] = row;
    }
    index = larger;
  }

  private static int[] emptyIndex(int length) {
    int[] index = new int[length];
    Arrays.fill(index, EMPTY);
    return index;
  }

  /** Mixes all bits: starts are multiples of the window's size, and their low bits say little. */
  private static int place(int sensor, long start, long end, int length) {
    long h = start * 0x9e3779b97f4a7c15L ^ end * 0xc2b2ae3d27d4eb4fL ^ sensor * 0x165667b19e3779f9L;
    h = (h ^ h >>> 32) * 0xd6e8feb86659fd93L;
    return (int) (h >>> 32) & (length - 1);
  }

  void set(int row, long count, long badCount, double sum, double min, double max, int revision) {
    put(row, COUNT, count);
    put(row, BAD_COUNT, badCount);
    put(row, SUM, Double.doubleToRawLongBits(sum));
    put(row, MIN, Double.doubleToRawLongBits(min));
    put(row, MAX, Double.doubleToRawLongBits(max));
    put(row, SENSOR_AND_REVISION, (long) sensor(row) << 32 | revision & 0xffffffffL);
  }

  /**
   * The latest summary of a row.
   *
   * @param more what is known beside it
   */
  SummaryRow summaryAt(int row, String sensorId, Optional<WindowSummary> more) {
    return new SummaryRow(
        sensorId,
        start(row),
        end(row),
        count(row),
        badCount(row),
        Double.longBitsToDouble(get(row, SUM)),
        Double.longBitsToDouble(get(row, MIN)),
        Double.longBitsToDouble(get(row, MAX)),
        (int) get(row, SENSOR_AND_REVISION),
        more);
  }

  int size() {
    return size;
  }

  int sensor(int row) {
    return (int) (get(row, SENSOR_AND_REVISION) >>> 32);
  }

  long start(int row) {
    return get(row, START);
  }

  long end(int row) {
    return get(row, END);
  }

  long count(int row) {
    return get(row, COUNT);
  }

  long badCount(int row) {
    return get(row, BAD_COUNT);
  }

  private long get(int row, int column) {
    return blocks.get(row >>> BLOCK_BITS)[offset(row) + column];
  }

  private void put(int row, int column, long value) {
    blocks.get(row >>> BLOCK_BITS)[offset(row) + column] = value;
  }

  private static int offset(int row) {
    return (row & (BLOCK_ROWS - 1)) * ROW_LONGS;
  }
}
