package io.weir.cli.plot;

import static java.util.stream.Collectors.joining;

import io.weir.internal.text.SummaryRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The windows of one sensor in the order of time. A window replaces an earlier one with the same
 * start. One thread.
 */
public final class WindowSeries {
  private static final int NAMED = 10;

  private final String sensorId;
  private final NavigableMap<Long, SummaryRow> windows = new TreeMap<>();

  /**
   * Min, mean and max of the windows in an interval.
   *
   * @param mean not finite if sums of the windows are not
   */
  record Band(double min, double mean, double max) {}

  private WindowSeries(String sensorId) {
    this.sensorId = sensorId;
  }

  /** Collects windows of any sensors, and returns the series of one. */
  public static final class Collector implements Consumer<SummaryRow> {
    private final NavigableMap<String, WindowSeries> series = new TreeMap<>();

    @Override
    public void accept(SummaryRow window) {
      series.computeIfAbsent(window.sensorId(), WindowSeries::new).add(window);
    }

    /**
     * The series of a sensor.
     *
     * @param sensorId may be null if there is only one sensor
     * @throws IllegalArgumentException if it does not exist; the message has the names of existing
     *     ones
     */
    public WindowSeries of(String sensorId) {
      if (series.isEmpty()) {
        throw new IllegalArgumentException("there are no windows");
      }
      if (sensorId == null && series.size() == 1) {
        return series.firstEntry().getValue();
      }
      WindowSeries found = sensorId == null ? null : series.get(sensorId);
      if (found == null) {
        String what = sensorId == null ? "choose a sensor" : "no window of sensor " + sensorId;
        throw new IllegalArgumentException(what + "; there are " + names());
      }
      return found;
    }

    private String names() {
      String first =
          series.keySet().stream().limit(NAMED).map(id -> "'" + id + "'").collect(joining(", "));
      int more = series.size() - NAMED;
      return more > 0 ? first + " and " + more + " more" : first;
    }
  }

  private void add(SummaryRow window) {
    windows.put(window.startMs(), window);
  }

  String sensorId() {
    return sensorId;
  }

  Collection<SummaryRow> windows() {
    return windows.values();
  }

  /** The first window's start, in milliseconds since the epoch. */
  long startMs() {
    return windows.firstKey();
  }

  /** The last window's end. */
  long endMs() {
    return windows.lastEntry().getValue().endMs();
  }

  /** The length of the shortest window. */
  long windowMs() {
    return windows.values().stream()
        .mapToLong(window -> window.endMs() - window.startMs())
        .min()
        .orElseThrow();
  }

  /** The number of windows without gaps. */
  long slots() {
    return Math.max(1, (endMs() - startMs()) / Math.max(1, windowMs()));
  }

  long readings() {
    return windows.values().stream().mapToLong(SummaryRow::count).sum();
  }

  /** Number of windows with only BAD readings: they have no min, mean and max. */
  long windowsWithoutValue() {
    return windows.values().stream().filter(window -> window.count() == 0).count();
  }

  /** Min, mean and max of all windows; null if no window has a value. */
  Band all() {
    return band(windows.values());
  }

  /** Divides the time into equal intervals; null for an interval in which no window begins. */
  List<Band> bands(int stretches) {
    List<Band> bands = new ArrayList<>(stretches);
    for (int i = 0; i < stretches; i++) {
      bands.add(band(windows.subMap(boundary(i, stretches), boundary(i + 1, stretches)).values()));
    }
    return bands;
  }

  /** The first millisecond of an interval, exactly, so that no window is in the adjacent one. */
  private long boundary(int stretch, int stretches) {
    long span = endMs() - startMs();
    long rest = (span % stretches * stretch + stretches - 1) / stretches;
    return startMs() + span / stretches * stretch + rest;
  }

  private static Band band(Collection<SummaryRow> windows) {
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double sum = 0;
    long count = 0;
    for (SummaryRow window : windows) {
      if (window.count() > 0) {
        min = Math.min(min, window.min());
        max = Math.max(max, window.max());
        sum += window.sum();
        count += window.count();
      }
    }
    return count == 0 ? null : new Band(min, sum / count, max);
  }
}
