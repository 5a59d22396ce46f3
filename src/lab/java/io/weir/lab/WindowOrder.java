package io.weir.lab;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The order of windows by sensor id (UTF-8 bytes, unsigned), start and end. Sensors are ranked, the
 * rows counted into their ranks, and within a sensor only those sorted that did not come in order.
 */
final class WindowOrder {
  private final WindowTable table;
  private final int[] rankOfSensor;

  WindowOrder(List<String> sensorIds, WindowTable table) {
    this.table = table;
    this.rankOfSensor = ranks(sensorIds);
  }

  private record Sensor(byte[] utf8, int number) {}

  private static int[] ranks(List<String> sensorIds) {
    Sensor[] sensors = new Sensor[sensorIds.size()];
    for (int i = 0; i < sensors.length; i++) {
      sensors[i] = new Sensor(sensorIds.get(i).getBytes(StandardCharsets.UTF_8), i);
    }
    Arrays.sort(sensors, (a, b) -> Arrays.compareUnsigned(a.utf8, b.utf8));
    int[] ranks = new int[sensors.length];
    for (int rank = 0; rank < ranks.length; rank++) {
      ranks[sensors[rank].number] = rank;
    }
    return ranks;
  }

  /** The numbers of all rows, in order. */
  int[] rows() {
    int[] ends = new int[rankOfSensor.length + 1];
    for (int row = 0; row < table.size(); row++) {
      ends[rankOfSensor[table.sensor(row)] + 1]++;
    }
    for (int rank = 0; rank < rankOfSensor.length; rank++) {
      ends[rank + 1] += ends[rank];
    }
    // From here on ends[rank] moves from the first place of a rank to the place behind its last.
    int[] rows = new int[table.size()];
    for (int row = 0; row < rows.length; row++) {
      rows[ends[rankOfSensor[table.sensor(row)]]++] = row;
    }
    int from = 0;
    for (int rank = 0; rank < rankOfSensor.length; rank++) {
      sortByTime(rows, from, ends[rank]);
      from = ends[rank];
    }
    return rows;
  }

  private void sortByTime(int[] rows, int from, int to) {
    boolean sorted = true;
    for (int i = from + 1; i < to && sorted; i++) {
      sorted = byTime(rows[i - 1], rows[i]) < 0;
    }
    if (!sorted) {
      int[] ordered =
          Arrays.stream(rows, from, to)
              .boxed()
              .sorted(this::byTime)
              .mapToInt(Integer::intValue)
              .toArray();
      System.arraycopy(ordered, 0, rows, from, ordered.length);
    }
  }

  private int byTime(int row, int other) {
    int byStart = Long.compare(table.start(row), table.start(other));
    return byStart != 0 ? byStart : Long.compare(table.end(row), table.end(other));
  }
}
