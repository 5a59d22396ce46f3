package io.weir.lab;

import io.weir.internal.text.SummaryRow;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The latest summary of each window (sensor, start, end): the last of its summaries, in the order
 * in which they are added, which must be that of their offsets within each sensor's partition. How
 * many readings are in the latest summaries is known at any moment, so that a balance can be asked
 * for while records still come.
 *
 * <p>Not safe for several threads. A window takes 64 bytes and 6 to 12 more in an index, its
 * sensor's id once, and where it has further statistics its whole summary; adding costs one look
 * into a hash table of primitives.
 */
public final class SummaryRows {
  private final Map<String, Integer> sensors = new HashMap<>();
  private final List<String> sensorIds = new ArrayList<>();
  private final WindowTable table = new WindowTable();

  /** By row: those that say more than a row holds. */
  private final Map<Integer, WindowSummary> more = new HashMap<>();

  private long readings;

  /**
   * Takes a summary as the latest one of its window, in place of the one before.
   *
   * @throws ArithmeticException where its counts are beyond 63 bits, or all counts together
   */
  public void add(WindowSummary summary) {
    long counted = readingsOf(summary.getCount(), summary.getBadCount());
    int sensor = sensorOf(summary.getSensorId());
    int row = table.find(sensor, summary.getWindowStartMs(), summary.getWindowEndMs());
    long before = readingsOf(table.count(row), table.badCount(row));
    readings = Math.addExact(readings - before, counted);
    table.set(
        row,
        summary.getCount(),
        summary.getBadCount(),
        summary.getSum(),
        summary.getMin(),
        summary.getMax(),
        summary.getRevision());
    SummaryRow.withMore(summary)
        .ifPresentOrElse(full -> more.put(row, full), () -> more.remove(row));
  }

  private static long readingsOf(long count, long badCount) {
    if (count < 0 || badCount < 0) {
      throw new ArithmeticException("a window with 2^63 readings or more");
    }
    return Math.addExact(count, badCount);
  }

  private int sensorOf(String sensorId) {
    Integer known = sensors.get(sensorId);
    if (known == null) {
      known = sensorIds.size();
      sensors.put(sensorId, known);
      sensorIds.add(sensorId);
    }
    return known;
  }

  /**
   * Readings in the latest summaries, those of quality BAD among them: count and bad_count of all
   * windows.
   */
  public long readings() {
    return readings;
  }

  /** How many windows there are, those with nothing but readings of quality BAD among them. */
  public int windows() {
    return table.size();
  }

  /**
   * The latest summaries by sensor id (UTF-8 bytes, unsigned), start and end. Each iteration sorts
   * again, at 4 bytes a window, and must be over before the next summary is added.
   */
  public Iterable<SummaryRow> sorted() {
    return () -> {
      int[] rows = new WindowOrder(sensorIds, table).rows();
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < rows.length;
        }

        @Override
        public SummaryRow next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          int row = rows[next++];
          return table.summaryAt(
              row, sensorIds.get(table.sensor(row)), Optional.ofNullable(more.get(row)));
        }
      };
    };
  }
}
