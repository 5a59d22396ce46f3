package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.aggregate.ExactAccumulator;
import io.weir.internal.window.aggregate.ExponentialHistogram;
import io.weir.internal.window.aggregate.ExponentialHistogram.Buckets;
import io.weir.internal.window.aggregate.SampleSums;
import io.weir.internal.window.aggregate.Samples;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import java.io.IOException;

/**
 * A window's further statistics as bytes. Numbers are protobuf varints, signed ones zigzag; doubles
 * 8 bytes little-endian.
 *
 * <pre>
 * statistics  sets, as bits of {@link StatisticSet} | with integral or counter: form
 *             | unless count is 0, those of the sets below
 * form        0 not known, 1 samples, 2 sums of spans
 * first_last  first timestamp | first | last timestamp - first timestamp | last
 * variance    sum of squares ({@link ExactNumberCodec})
 * histogram   scale, signed | zeros | positive buckets | negative buckets
 * buckets     number of counts | offset, signed | counts
 * quality     uncertain readings
 * samples     how many; they are in entries of their own ({@link SampleEntries})
 * sums        integral, increase ({@link ExactNumberCodec}) | resets
 * </pre>
 */
final class StatisticsCodec {
  /** All but sum of squares and buckets, at their longest. */
  private static final int MOST_BYTES = 80;

  private static final int MOST_VARINT_BYTES = 10;

  private static final int UNKNOWN = 0;
  private static final int SAMPLES = 1;
  private static final int SUMS = 2;

  private static final int KNOWN_SETS = (1 << StatisticSet.values().length) - 1;

  /** Where the samples of the window that is read are. */
  @FunctionalInterface
  interface SampleSource {
    /** So many samples, some or all of which may be put back later. */
    Samples of(int size);
  }

  private StatisticsCodec() {}

  private static boolean hasForm(Statistics statistics) {
    return statistics.has(StatisticSet.INTEGRAL) || statistics.has(StatisticSet.COUNTER);
  }

  private static int formOf(Statistics statistics) {
    if (statistics.samplesOverflowed()) {
      return UNKNOWN;
    }
    return statistics.samples() != null ? SAMPLES : SUMS;
  }

  static int mostBytes(Statistics statistics) {
    int bytes = MOST_BYTES;
    if (statistics.squares() != null) {
      bytes += ExactNumberCodec.mostBytes(statistics.squares());
    }
    ExponentialHistogram histogram = statistics.histogram();
    if (histogram != null) {
      int counts = histogram.positive().size() + histogram.negative().size();
      bytes += MOST_VARINT_BYTES * counts;
    }
    SampleSums sums = statistics.sumsOfSpans();
    if (sums != null) {
      bytes += ExactNumberCodec.mostBytes(sums.integral());
      bytes += ExactNumberCodec.mostBytes(sums.increase());
    }
    return bytes;
  }

  static void write(Statistics statistics, boolean hasReadings, CodedOutputStream out)
      throws IOException {
    out.writeUInt32NoTag(statistics.sets());
    if (hasForm(statistics)) {
      out.writeUInt32NoTag(formOf(statistics));
    }
    if (!hasReadings) {
      return;
    }
    if (statistics.has(StatisticSet.FIRST_LAST)) {
      out.writeSInt64NoTag(statistics.firstTimestampMs());
      out.writeDoubleNoTag(statistics.first());
      out.writeSInt64NoTag(statistics.lastTimestampMs() - statistics.firstTimestampMs());
      out.writeDoubleNoTag(statistics.last());
    }
    if (statistics.has(StatisticSet.VARIANCE)) {
      ExactNumberCodec.write(statistics.squares(), out);
    }
    if (statistics.has(StatisticSet.HISTOGRAM)) {
      ExponentialHistogram histogram = statistics.histogram();
      out.writeSInt32NoTag(histogram.scale());
      out.writeUInt64NoTag(histogram.zeroCount());
      write(histogram.positive(), out);
      write(histogram.negative(), out);
    }
    if (statistics.has(StatisticSet.QUALITY)) {
      out.writeUInt64NoTag(statistics.uncertainCount());
    }
    if (hasForm(statistics)) {
      writeSamples(statistics, out);
    }
  }

  private static void writeSamples(Statistics statistics, CodedOutputStream out)
      throws IOException {
    switch (formOf(statistics)) {
      case SAMPLES -> out.writeUInt32NoTag(statistics.samples().size());
      case SUMS -> {
        SampleSums sums = statistics.sumsOfSpans();
        ExactNumberCodec.write(sums.integral(), out);
        ExactNumberCodec.write(sums.increase(), out);
        out.writeUInt64NoTag(sums.resets());
      }
      default -> {}
    }
  }

  private static void write(Buckets buckets, CodedOutputStream out) throws IOException {
    out.writeUInt32NoTag(buckets.size());
    out.writeSInt32NoTag(buckets.offset());
    for (int i = 0; i < buckets.size(); i++) {
      out.writeUInt64NoTag(buckets.count(i));
    }
  }

  static Statistics read(CodedInputStream in, boolean hasReadings, SampleSource samples)
      throws IOException {
    int sets = in.readUInt32();
    if ((sets & ~KNOWN_SETS) != 0) {
      throw new StateMismatchException(
          "the state has sets " + sets + " of statistics, this version knows " + KNOWN_SETS);
    }
    Statistics statistics = Statistics.ofSpans(sets);
    int form = hasForm(statistics) ? in.readUInt32() : UNKNOWN;
    if (!hasReadings) {
      if (form == SAMPLES) {
        statistics.restoreSamples(samples.of(0));
      }
      return statistics;
    }
    if (statistics.has(StatisticSet.FIRST_LAST)) {
      long firstMs = in.readSInt64();
      double first = in.readDouble();
      statistics.restoreFirstAndLast(firstMs, first, firstMs + in.readSInt64(), in.readDouble());
    }
    if (statistics.has(StatisticSet.VARIANCE)) {
      statistics.restoreSquares(ExactNumberCodec.read(in));
    }
    if (statistics.has(StatisticSet.HISTOGRAM)) {
      int scale = in.readSInt32();
      long zeros = in.readUInt64();
      statistics.restoreHistogram(
          new ExponentialHistogram(scale, zeros, readBuckets(in), readBuckets(in)));
    }
    if (statistics.has(StatisticSet.QUALITY)) {
      statistics.restoreUncertainCount(in.readUInt64());
    }
    if (hasForm(statistics)) {
      readSamples(in, form, statistics, samples);
    }
    return statistics;
  }

  private static void readSamples(
      CodedInputStream in, int form, Statistics statistics, SampleSource samples)
      throws IOException {
    switch (form) {
      case UNKNOWN -> statistics.restoreSums(null);
      case SAMPLES -> statistics.restoreSamples(samples.of(in.readUInt32()));
      case SUMS -> {
        ExactAccumulator integral = ExactNumberCodec.read(in);
        ExactAccumulator increase = ExactNumberCodec.read(in);
        statistics.restoreSums(new SampleSums(integral, increase, in.readUInt64()));
      }
      default -> throw new IOException("statistics of form " + form);
    }
  }

  private static Buckets readBuckets(CodedInputStream in) throws IOException {
    int size = in.readUInt32();
    if (size < 0 || size > ExponentialHistogram.MOST_BUCKETS) {
      throw new IOException("a histogram of " + size + " buckets");
    }
    long[] counts = new long[size];
    int offset = in.readSInt32();
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.readUInt64();
    }
    return new Buckets(offset, counts);
  }
}
