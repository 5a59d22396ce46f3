package io.weir.internal.explain;

import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.Quality;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The statistics of some readings, computed from all of them each time. Adding gives another one,
 * which shares what was there before.
 */
public final class NaiveStatistics {
  private static final int FINEST_SCALE = 12;
  private static final int MOST_BUCKETS = 160;
  private static final double[] BOUNDS = bounds();

  /** The smallest double is 2^-1074. */
  static final int UNIT_BITS = 1074;

  private final int mostSamples;
  private final long windowSizeMs;
  private final Entry newest;

  private record Entry(long timestampMs, double value, Quality quality, Entry before) {}

  /** Of no readings, of which there may be {@link StatisticsPlan#DEFAULT_MOST_SAMPLES}. */
  public NaiveStatistics() {
    this(StatisticsPlan.DEFAULT_MOST_SAMPLES, Long.MAX_VALUE);
  }

  /**
   * Of no readings.
   *
   * @param mostSamples readings that an integral or a counter has at the most in a window
   * @param windowSizeMs length of the windows
   */
  public NaiveStatistics(int mostSamples, long windowSizeMs) {
    this(mostSamples, windowSizeMs, null);
  }

  private NaiveStatistics(int mostSamples, long windowSizeMs, Entry newest) {
    this.mostSamples = mostSamples;
    this.windowSizeMs = windowSizeMs;
    this.newest = newest;
  }

  /** Those of one reading more, which is not bad. */
  public NaiveStatistics with(long timestampMs, double value, Quality quality) {
    // Adding 0.0 turns -0.0 into 0.0.
    Entry next = new Entry(timestampMs, value + 0.0, quality, newest);
    return new NaiveStatistics(mostSamples, windowSizeMs, next);
  }

  private List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (Entry entry = newest; entry != null; entry = entry.before()) {
      entries.add(entry);
    }
    return entries;
  }

  /** Whether a summary says just that of the sets that it is to have, and nothing of others. */
  public boolean areIn(WindowSummary got, int sets) {
    return expected(sets).equals(statisticsOf(got));
  }

  /** All values, the newest first. */
  @Override
  public String toString() {
    return entries().stream()
        .map(entry -> entry.value() + "@" + entry.timestampMs())
        .collect(Collectors.joining(" ", "[", "]"));
  }

  /** A summary with nothing but the statistics of some sets. */
  public WindowSummary expected(int sets) {
    WindowSummary.Builder expected = WindowSummary.newBuilder();
    List<Entry> entries = entries();
    if (entries.isEmpty()) {
      return expected.build();
    }
    entries.sort(Comparator.comparingLong(Entry::timestampMs).thenComparing(Entry::value));
    if (StatisticSet.FIRST_LAST.isIn(sets)) {
      Entry first = entries.get(0);
      Entry last = entries.get(entries.size() - 1);
      expected.setFirstTimestampMs(first.timestampMs()).setFirst(first.value());
      expected.setLastTimestampMs(last.timestampMs()).setLast(last.value());
    }
    if (StatisticSet.VARIANCE.isIn(sets)) {
      expected.setM2(m2(entries));
      if (entries.size() > 1) {
        expected.setStandardDeviation(standardDeviation(entries));
      }
    }
    if (StatisticSet.HISTOGRAM.isIn(sets)) {
      expected.setHistogram(histogram(entries));
    }
    if (StatisticSet.INTEGRAL.isIn(sets) && hasSamples(entries)) {
      BigDecimal integral = integral(entries);
      expected.setIntegral(integral.doubleValue());
      long spanMs = entries.get(entries.size() - 1).timestampMs() - entries.get(0).timestampMs();
      if (spanMs > 0) {
        expected.setTimeWeightedAverage(rounded(integral, spanMs));
      }
    }
    if (StatisticSet.COUNTER.isIn(sets) && hasSamples(entries)) {
      expected.setIncrease(increase(entries)).setResets(resets(entries));
    }
    if (StatisticSet.QUALITY.isIn(sets)) {
      expected.setUncertainCount(
          entries.stream().filter(entry -> entry.quality() == Quality.UNCERTAIN).count());
    }
    if (StatisticSet.SUM_REST.isIn(sets)) {
      expected.addAllSumRest(sumRest(entries));
    }
    return expected.build();
  }

  /** What the sum lacks when it is rounded, that rounded, and so on. */
  private static List<Double> sumRest(List<Entry> entries) {
    BigInteger units = BigInteger.ZERO;
    for (Entry entry : entries) {
      units = units.add(units(entry.value()));
    }
    BigDecimal left = ofUnits(units, UNIT_BITS);
    List<Double> terms = new ArrayList<>();
    while (left.signum() != 0 && Double.isFinite(left.doubleValue())) {
      terms.add(left.doubleValue());
      left = left.subtract(new BigDecimal(left.doubleValue()));
    }
    return terms.isEmpty() ? terms : terms.subList(1, terms.size());
  }

  /** Whether no window has too many. */
  private boolean hasSamples(List<Entry> entries) {
    Map<Long, Long> byWindow =
        entries.stream()
            .collect(
                Collectors.groupingBy(
                    entry -> Math.floorDiv(entry.timestampMs(), windowSizeMs),
                    Collectors.counting()));
    return byWindow.values().stream().allMatch(count -> count <= mostSamples);
  }

  /** The statistics of a summary as text, empty where it has none. */
  public static String shown(WindowSummary got) {
    String text = statisticsOf(got).toString();
    return text.isEmpty() ? "" : ", " + text.replaceAll("\\s+", " ");
  }

  private static WindowSummary statisticsOf(WindowSummary got) {
    return got.toBuilder()
        .clearSensorId()
        .clearWindowStartMs()
        .clearWindowEndMs()
        .clearCount()
        .clearSum()
        .clearMin()
        .clearMax()
        .clearRevision()
        .clearCloseReason()
        .clearBadCount()
        .clearIsFinal()
        .clearMean()
        .build();
  }

  /** Exact over a whole number, rounded once. */
  public static double rounded(BigDecimal exact, long divisor) {
    BigDecimal by = BigDecimal.valueOf(divisor);
    return exact.divide(by, new MathContext(exact.precision() + 60)).doubleValue() + 0.0;
  }

  private static double m2(List<Entry> entries) {
    return rounded(countTimesSquares(entries), entries.size());
  }

  private static double standardDeviation(List<Entry> entries) {
    BigDecimal n = BigDecimal.valueOf(entries.size());
    BigDecimal divisor = n.multiply(n.subtract(BigDecimal.ONE));
    BigDecimal dividend = countTimesSquares(entries);
    return root(dividend.divide(divisor, new MathContext(dividend.precision() + 60)));
  }

  /** The root, rounded once: a tie among the smallest doubles has some 750 digits. */
  public static double root(BigDecimal exact) {
    double rough = exact.sqrt(new MathContext(100)).doubleValue();
    return rough >= Double.MIN_NORMAL ? rough : exact.sqrt(new MathContext(1_000)).doubleValue();
  }

  /** n times the sum of (x - mean)^2, as n * sum of squares - square of sum. */
  private static BigDecimal countTimesSquares(List<Entry> entries) {
    BigInteger n = BigInteger.valueOf(entries.size());
    BigInteger sum = BigInteger.ZERO;
    BigInteger squares = BigInteger.ZERO;
    for (Entry entry : entries) {
      BigInteger value = units(entry.value());
      sum = sum.add(value);
      squares = squares.add(square(value));
    }
    return ofUnits(n.multiply(squares).subtract(sum.multiply(sum)), 2 * UNIT_BITS);
  }

  /** Without the zeros behind its 53 bits. */
  private static BigInteger square(BigInteger value) {
    int zeros = Math.max(0, value.getLowestSetBit());
    BigInteger odd = value.shiftRight(zeros);
    return odd.multiply(odd).shiftLeft(2 * zeros);
  }

  /** Of entries in order: each value times the milliseconds until the next. */
  private static BigDecimal integral(List<Entry> entries) {
    BigInteger integral = BigInteger.ZERO;
    for (int i = 1; i < entries.size(); i++) {
      Entry held = entries.get(i - 1);
      long heldMs = entries.get(i).timestampMs() - held.timestampMs();
      integral = integral.add(units(held.value()).multiply(BigInteger.valueOf(heldMs)));
    }
    return ofUnits(integral, UNIT_BITS);
  }

  /** Of entries in order: what each is above the one before, and all of it after a fall. */
  private static double increase(List<Entry> entries) {
    BigInteger increase = BigInteger.ZERO;
    for (int i = 1; i < entries.size(); i++) {
      BigInteger before = units(entries.get(i - 1).value());
      BigInteger value = units(entries.get(i).value());
      increase = increase.add(value.compareTo(before) < 0 ? value : value.subtract(before));
    }
    return ofUnits(increase, UNIT_BITS).doubleValue();
  }

  private static long resets(List<Entry> entries) {
    long resets = 0;
    for (int i = 1; i < entries.size(); i++) {
      resets += entries.get(i).value() < entries.get(i - 1).value() ? 1 : 0;
    }
    return resets;
  }

  private static ExponentialHistogram histogram(List<Entry> entries) {
    TreeMap<Integer, Long> positive = new TreeMap<>();
    TreeMap<Integer, Long> negative = new TreeMap<>();
    long zeros = 0;
    for (Entry entry : entries) {
      if (entry.value() == 0) {
        zeros++;
      } else {
        TreeMap<Integer, Long> side = entry.value() > 0 ? positive : negative;
        side.merge(finestBucket(Math.abs(entry.value())), 1L, Long::sum);
      }
    }
    int scale = FINEST_SCALE;
    while (span(positive, scale) > MOST_BUCKETS || span(negative, scale) > MOST_BUCKETS) {
      scale--;
    }
    ExponentialHistogram.Builder histogram =
        ExponentialHistogram.newBuilder().setScale(scale).setZeroCount(zeros);
    if (!positive.isEmpty()) {
      histogram.setPositive(buckets(positive, scale));
    }
    if (!negative.isEmpty()) {
      histogram.setNegative(buckets(negative, scale));
    }
    return histogram.build();
  }

  private static int at(int finestBucket, int scale) {
    return Math.floorDiv(finestBucket, 1 << (FINEST_SCALE - scale));
  }

  private static int span(TreeMap<Integer, Long> side, int scale) {
    return side.isEmpty() ? 0 : at(side.lastKey(), scale) - at(side.firstKey(), scale) + 1;
  }

  private static ExponentialHistogram.Buckets buckets(TreeMap<Integer, Long> side, int scale) {
    int offset = at(side.firstKey(), scale);
    long[] counts = new long[span(side, scale)];
    side.forEach((bucket, count) -> counts[at(bucket, scale) - offset] += count);
    ExponentialHistogram.Buckets.Builder buckets =
        ExponentialHistogram.Buckets.newBuilder().setOffset(offset);
    for (long count : counts) {
      buckets.addCounts(count);
    }
    return buckets.build();
  }

  /** The i with 2^(i / 4096) &lt; value &lt;= 2^((i + 1) / 4096). */
  private static int finestBucket(double value) {
    double normal = value < Double.MIN_NORMAL ? value * 0x1p52 : value;
    int exponent = Math.getExponent(normal);
    double significand = Math.scalb(normal, -exponent);
    int found = Arrays.binarySearch(BOUNDS, significand);
    int below = found >= 0 ? found : -found - 1;
    return BOUNDS.length * (value < Double.MIN_NORMAL ? exponent - 52 : exponent) + below - 1;
  }

  /**
   * The largest double that is not above 2^(i / 4096), for each i. No other power than 2^0 is a
   * double, and none is nearer to one than 60 digits tell.
   */
  private static double[] bounds() {
    MathContext digits = new MathContext(60);
    BigDecimal step = BigDecimal.valueOf(2);
    for (int i = 0; i < FINEST_SCALE; i++) {
      step = step.sqrt(digits);
    }
    double[] bounds = new double[1 << FINEST_SCALE];
    BigDecimal power = BigDecimal.ONE;
    for (int i = 0; i < bounds.length; i++) {
      double nearest = power.doubleValue();
      bounds[i] = new BigDecimal(nearest).compareTo(power) > 0 ? Math.nextDown(nearest) : nearest;
      power = power.multiply(step, digits);
    }
    return bounds;
  }

  /** A finite double as a multiple of 2^-1074: exact, and quick to add. */
  static BigInteger units(double value) {
    int exponent = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - 52;
    return BigInteger.valueOf((long) Math.scalb(value, -exponent)).shiftLeft(exponent + UNIT_BITS);
  }

  /** The number times 2^-bits. */
  static BigDecimal ofUnits(BigInteger number, int bits) {
    return new BigDecimal(number.multiply(BigInteger.valueOf(5).pow(bits)), bits)
        .stripTrailingZeros();
  }
}
