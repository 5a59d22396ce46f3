package io.weir.lab.oracle;

import io.weir.internal.explain.NaiveStatistics;
import io.weir.internal.window.StatisticsPlan;
import io.weir.reading.Quality;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What the windows of some readings are, computed as plainly as can be: every reading counts, in
 * whatever order, and sums are exact.
 */
public final class NaiveWindows {
  private final long windowSizeMs;
  private final Supplier<StatisticsPlan> plan;
  private final long ofSizeMs;
  private final TreeMap<Key, Window> windows = new TreeMap<>();

  /** Those of which nothing is known any more: if more comes for them they begin again. */
  private final Set<Key> forgotten = new HashSet<>();

  private long replaced;

  /** Of a sensor and a window's first millisecond; ordered by the id's UTF-8 bytes, then start. */
  public record Key(String sensorId, long startMs) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      byte[] mine = sensorId.getBytes(StandardCharsets.UTF_8);
      byte[] theirs = other.sensorId.getBytes(StandardCharsets.UTF_8);
      int byId = Arrays.compareUnsigned(mine, theirs);
      return byId != 0 ? byId : Long.compare(startMs, other.startMs);
    }
  }

  /**
   * Sum, min and max are 0 where count is 0.
   *
   * @param sets bits of the statistics that are computed beside them
   * @param statistics null where sets is 0
   */
  public record Window(
      long count,
      long badCount,
      BigDecimal sum,
      double min,
      double max,
      int sets,
      NaiveStatistics statistics) {
    static final Window EMPTY = new Window(0, 0, BigDecimal.ZERO, 0, 0);

    /** Without further statistics. */
    public Window(long count, long badCount, BigDecimal sum, double min, double max) {
      this(count, badCount, sum, min, max, 0, null);
    }

    /** Of no reading yet, with the statistics of a sensor. */
    static Window empty(StatisticsPlan plan, String sensorId, long windowSizeMs) {
      int sets = plan.setsOf(sensorId.getBytes(StandardCharsets.UTF_8));
      return sets == 0
          ? EMPTY
          : new Window(
              0,
              0,
              BigDecimal.ZERO,
              0,
              0,
              sets,
              new NaiveStatistics(plan.mostSamples(), windowSizeMs));
    }

    /** With one reading more. */
    Window plus(long timestampMs, double value, Quality quality) {
      return quality == Quality.BAD ? withBad() : with(timestampMs, value, quality);
    }

    private Window with(long timestampMs, double value, Quality quality) {
      // Adding 0.0 turns -0.0 into 0.0.
      double v = value + 0.0;
      return new Window(
          count + 1,
          badCount,
          sum.add(new BigDecimal(v)),
          count == 0 ? v : Math.min(min, v),
          count == 0 ? v : Math.max(max, v),
          sets,
          sets == 0 ? null : statistics.with(timestampMs, v, quality));
    }

    private Window withBad() {
      return new Window(count, badCount + 1, sum, min, max, sets, statistics);
    }

    /** Whether a summary has the mean and the statistics that it is to have, and no others. */
    public boolean statisticsAreIn(WindowSummary got) {
      return meanIsIn(got) && setsAreIn(got);
    }

    private boolean meanIsIn(WindowSummary got) {
      return count == 0
          ? !got.hasMean()
          : got.hasMean()
              && Double.doubleToRawLongBits(got.getMean())
                  == Double.doubleToRawLongBits(NaiveStatistics.rounded(sum, count));
    }

    private boolean setsAreIn(WindowSummary got) {
      NaiveStatistics own = sets == 0 ? new NaiveStatistics() : statistics;
      return own.areIn(got, sets);
    }
  }

  /** Without further statistics. */
  public NaiveWindows(long windowSizeMs) {
    this(windowSizeMs, StatisticsPlan.NONE);
  }

  public NaiveWindows(long windowSizeMs, StatisticsPlan plan) {
    this.windowSizeMs = windowSizeMs;
    this.plan = () -> plan;
    this.ofSizeMs = windowSizeMs;
  }

  /** Spans of windows, with the statistics that hold when a window begins. */
  NaiveWindows(long sizeMs, Supplier<StatisticsPlan> plan, long windowSizeMs) {
    this.windowSizeMs = sizeMs;
    this.plan = plan;
    this.ofSizeMs = windowSizeMs;
  }

  /** Where the window of a reading starts. */
  long startMs(long timestampMs) {
    return Math.floorDiv(timestampMs, windowSizeMs) * windowSizeMs;
  }

  /** Adds a finite value; returns whether a window that was forgotten begins again with it. */
  public boolean add(String sensorId, long timestampMs, double value, Quality quality) {
    Key key = new Key(sensorId, startMs(timestampMs));
    boolean again = forgotten.remove(key);
    if (again) {
      replaced += readings(windows.remove(key));
    }
    Window before = windows.get(key);
    if (before == null) {
      before = Window.empty(plan.get(), sensorId, ofSizeMs);
    }
    windows.put(key, before.plus(timestampMs, value, quality));
    return again;
  }

  /** The mark of a sensor is gone: its windows stay as they are until one begins again. */
  public void forget(String sensorId) {
    forgotten.addAll(
        windows
            .subMap(
                new Key(sensorId, Long.MIN_VALUE), true, new Key(sensorId, Long.MAX_VALUE), true)
            .keySet());
  }

  /** Readings of windows that began again after they were forgotten. */
  public long replaced() {
    return replaced;
  }

  private static long readings(Window window) {
    return window.count() + window.badCount();
  }

  public SortedMap<Key, Window> windows() {
    return Collections.unmodifiableSortedMap(windows);
  }

  /** Readings in all windows, bad ones among them. */
  public long readings() {
    return windows.values().stream().mapToLong(NaiveWindows::readings).sum();
  }

  /** Whether a sum is the exact one, rounded once to the nearest double; 0 is positive. */
  public static boolean isRoundedSum(BigDecimal exact, double got) {
    return Double.doubleToLongBits(exact.doubleValue()) == Double.doubleToLongBits(got);
  }
}
