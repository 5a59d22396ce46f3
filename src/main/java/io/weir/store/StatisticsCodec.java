package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.window.aggregate.ExponentialHistogram;
import io.weir.window.aggregate.ExponentialHistogram.Buckets;
import io.weir.window.aggregate.StatisticSet;
import io.weir.window.aggregate.Statistics;
import java.io.IOException;

/**
 * A window's further statistics as bytes. Numbers are protobuf varints, signed ones zigzag; doubles
 * 8 bytes little-endian.
 *
 * <pre>
 * statistics  sets, as bits of {@link StatisticSet} | unless count is 0, those of the sets below
 * first_last  first timestamp | first | last timestamp - first timestamp | last
 * variance    sum of squares ({@link ExactNumberCodec})
 * histogram   scale, signed | zeros | positive buckets | negative buckets
 * buckets     number of counts | offset, signed | counts
 * quality     uncertain readings
 * </pre>
 */
final class StatisticsCodec {
  /** All but sum of squares and buckets, at their longest. */
  private static final int MOST_BYTES = 80;

  private static final int MOST_VARINT_BYTES = 10;

  private static final int KNOWN_SETS = (1 << StatisticSet.values().length) - 1;

  private StatisticsCodec() {}

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
    return bytes;
  }

  static void write(Statistics statistics, boolean hasReadings, CodedOutputStream out)
      throws IOException {
    out.writeUInt32NoTag(statistics.sets());
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
  }

  private static void write(Buckets buckets, CodedOutputStream out) throws IOException {
    out.writeUInt32NoTag(buckets.size());
    out.writeSInt32NoTag(buckets.offset());
    for (int i = 0; i < buckets.size(); i++) {
      out.writeUInt64NoTag(buckets.count(i));
    }
  }

  static Statistics read(CodedInputStream in, boolean hasReadings) throws IOException {
    int sets = in.readUInt32();
    if ((sets & ~KNOWN_SETS) != 0) {
      throw new StateMismatchException(
          "the state has sets " + sets + " of statistics, this version knows " + KNOWN_SETS);
    }
    Statistics statistics = new Statistics(sets);
    if (!hasReadings) {
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
    return statistics;
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
