package io.weir.internal.wire;

import com.google.protobuf.CodedOutputStream;
import java.util.Arrays;

/**
 * Groups the readings of a batch by sensor into series: readings in their order, chained by index;
 * series in the order of their first readings. A sensor has a second series only if the difference
 * of consecutive timestamps does not fit a long. Reuses its arrays. Not thread-safe.
 */
final class SeriesGrouping {
  static final int END = -1;
  private static final int NONE = -1;

  private int[] newestSeriesOf = new int[0];
  private int[] nextReading = new int[0];
  private long[] deltasMs = new long[0];
  private int[] firstReading = new int[0];
  private int[] lastReading = new int[0];
  private int[] readings = new int[0];
  private int[] deltaBytes = new int[0];
  private boolean[] allGood = new boolean[0];
  private int count;

  /** Groups the readings of a new batch. */
  void group(BatchColumns columns) {
    reserve(columns.sensors(), columns.size());
    for (int reading = 0; reading < columns.size(); reading++) {
      int sensor = columns.sensorOf(reading);
      int series = newestSeriesOf[sensor];
      if (series == NONE || overflows(columns, lastReading[series], reading)) {
        series = start(reading);
        newestSeriesOf[sensor] = series;
      } else {
        chain(columns, series, reading);
      }
      readings[series]++;
      deltaBytes[series] += CodedOutputStream.computeSInt64SizeNoTag(deltasMs[reading]);
      allGood[series] &= columns.isGood(reading);
    }
  }

  /** Number of series. */
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

  /** Milliseconds since the previous reading of its series; 0 for the first. */
  long deltaMs(int reading) {
    return deltasMs[reading];
  }

  int readings(int series) {
    return readings[series];
  }

  /** Size of the deltas as zigzag varints, in bytes. */
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

  private static boolean overflows(BatchColumns columns, int before, int reading) {
    long from = columns.timestampMs(before);
    long to = columns.timestampMs(reading);
    return ((to ^ from) & (to ^ (to - from))) < 0;
  }

  private void reserve(int sensors, int size) {
    count = 0;
    if (newestSeriesOf.length < sensors) {
      newestSeriesOf = new int[2 * sensors];
    }
    Arrays.fill(newestSeriesOf, 0, sensors, NONE);
    if (nextReading.length < size) {
      nextReading = new int[size];
      deltasMs = new long[size];
      firstReading = new int[size];
      lastReading = new int[size];
      readings = new int[size];
      deltaBytes = new int[size];
      allGood = new boolean[size];
    }
  }
}
