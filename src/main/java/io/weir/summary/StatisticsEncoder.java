package io.weir.summary;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.ExponentialHistogram.Buckets;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.WindowSummary;
import java.io.IOException;

/**
 * Writes the fields of a {@code weir.v1.WindowSummary} that belong to sets of statistics.
 * Stateless.
 */
final class StatisticsEncoder {
  /** Maximum size of all fields except the histogram's counts. */
  private static final int MOST_BYTES = 200;

  private static final int MOST_VARINT_BYTES = 10;

  /** 64 doubles with tag and length. */
  private static final int MOST_REST_BYTES = 520;

  private StatisticsEncoder() {}

  /** Maximum size of the fields in bytes. */
  static int mostBytes(Statistics statistics) {
    int bytes = MOST_BYTES;
    if (statistics.has(StatisticSet.HISTOGRAM)) {
      int counts =
          statistics.histogram().positive().size() + statistics.histogram().negative().size();
      bytes += MOST_VARINT_BYTES * counts;
    }
    if (statistics.has(StatisticSet.SUM_REST)) {
      bytes += MOST_REST_BYTES;
    }
    return bytes;
  }

  /** Writes the fields of a window that has readings. */
  static void write(Aggregate window, Statistics statistics, CodedOutputStream out)
      throws IOException {
    if (statistics.has(StatisticSet.FIRST_LAST)) {
      out.writeInt64(WindowSummary.FIRST_TIMESTAMP_MS_FIELD_NUMBER, statistics.firstTimestampMs());
      out.writeDouble(WindowSummary.FIRST_FIELD_NUMBER, statistics.first());
      out.writeInt64(WindowSummary.LAST_TIMESTAMP_MS_FIELD_NUMBER, statistics.lastTimestampMs());
      out.writeDouble(WindowSummary.LAST_FIELD_NUMBER, statistics.last());
    }
    if (statistics.has(StatisticSet.VARIANCE)) {
      out.writeDouble(WindowSummary.M2_FIELD_NUMBER, window.m2());
    }
    if (statistics.has(StatisticSet.HISTOGRAM)) {
      writeHistogram(statistics.histogram(), out);
    }
    if (statistics.hasSums()) {
      writeSums(statistics, out);
    }
    if (statistics.has(StatisticSet.QUALITY)) {
      out.writeUInt64(WindowSummary.UNCERTAIN_COUNT_FIELD_NUMBER, statistics.uncertainCount());
    }
  }

  /** Writes the rest of the exact sum. */
  static void writeRest(double[] rest, CodedOutputStream out) throws IOException {
    if (rest.length > 0) {
      begin(WindowSummary.SUM_REST_FIELD_NUMBER, rest.length * Double.BYTES, out);
      for (double value : rest) {
        out.writeDoubleNoTag(value);
      }
    }
  }

  /** Writes the values that are derived exactly, from numbers that no other field holds. */
  static void writeDerived(Aggregate window, Statistics statistics, CodedOutputStream out)
      throws IOException {
    if (statistics.has(StatisticSet.VARIANCE) && window.count() > 1) {
      out.writeDouble(WindowSummary.STANDARD_DEVIATION_FIELD_NUMBER, window.standardDeviation());
    }
    if (statistics.hasTimeWeightedAverage()) {
      out.writeDouble(
          WindowSummary.TIME_WEIGHTED_AVERAGE_FIELD_NUMBER, statistics.timeWeightedAverage());
    }
  }

  private static void writeSums(Statistics statistics, CodedOutputStream out) throws IOException {
    if (statistics.has(StatisticSet.INTEGRAL)) {
      out.writeDouble(WindowSummary.INTEGRAL_FIELD_NUMBER, statistics.integral());
    }
    if (statistics.has(StatisticSet.COUNTER)) {
      out.writeDouble(WindowSummary.INCREASE_FIELD_NUMBER, statistics.increase());
      out.writeUInt64(WindowSummary.RESETS_FIELD_NUMBER, statistics.resets());
    }
  }

  private static void writeHistogram(
      io.weir.internal.window.aggregate.ExponentialHistogram histogram, CodedOutputStream out)
      throws IOException {
    int size = sizeOf(ExponentialHistogram.POSITIVE_FIELD_NUMBER, histogram.positive());
    size += sizeOf(ExponentialHistogram.NEGATIVE_FIELD_NUMBER, histogram.negative());
    if (histogram.scale() != 0) {
      size +=
          CodedOutputStream.computeSInt32Size(
              ExponentialHistogram.SCALE_FIELD_NUMBER, histogram.scale());
    }
    if (histogram.zeroCount() > 0) {
      size +=
          CodedOutputStream.computeUInt64Size(
              ExponentialHistogram.ZERO_COUNT_FIELD_NUMBER, histogram.zeroCount());
    }
    begin(WindowSummary.HISTOGRAM_FIELD_NUMBER, size, out);
    if (histogram.scale() != 0) {
      out.writeSInt32(ExponentialHistogram.SCALE_FIELD_NUMBER, histogram.scale());
    }
    if (histogram.zeroCount() > 0) {
      out.writeUInt64(ExponentialHistogram.ZERO_COUNT_FIELD_NUMBER, histogram.zeroCount());
    }
    writeBuckets(ExponentialHistogram.POSITIVE_FIELD_NUMBER, histogram.positive(), out);
    writeBuckets(ExponentialHistogram.NEGATIVE_FIELD_NUMBER, histogram.negative(), out);
  }

  private static void begin(int field, int size, CodedOutputStream out) throws IOException {
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(size);
  }

  /** The size of the field; 0 if there are no buckets, because it is then omitted. */
  private static int sizeOf(int field, Buckets buckets) {
    if (buckets.size() == 0) {
      return 0;
    }
    int size = bodySize(buckets);
    return CodedOutputStream.computeTagSize(field)
        + CodedOutputStream.computeUInt32SizeNoTag(size)
        + size;
  }

  private static int bodySize(Buckets buckets) {
    int counts = countsSize(buckets);
    int offset =
        buckets.offset() == 0
            ? 0
            : CodedOutputStream.computeSInt32Size(
                ExponentialHistogram.Buckets.OFFSET_FIELD_NUMBER, buckets.offset());
    return offset
        + CodedOutputStream.computeTagSize(ExponentialHistogram.Buckets.COUNTS_FIELD_NUMBER)
        + CodedOutputStream.computeUInt32SizeNoTag(counts)
        + counts;
  }

  private static int countsSize(Buckets buckets) {
    int size = 0;
    for (int i = 0; i < buckets.size(); i++) {
      size += CodedOutputStream.computeUInt64SizeNoTag(buckets.count(i));
    }
    return size;
  }

  private static void writeBuckets(int field, Buckets buckets, CodedOutputStream out)
      throws IOException {
    if (buckets.size() == 0) {
      return;
    }
    begin(field, bodySize(buckets), out);
    if (buckets.offset() != 0) {
      out.writeSInt32(ExponentialHistogram.Buckets.OFFSET_FIELD_NUMBER, buckets.offset());
    }
    begin(ExponentialHistogram.Buckets.COUNTS_FIELD_NUMBER, countsSize(buckets), out);
    for (int i = 0; i < buckets.size(); i++) {
      out.writeUInt64NoTag(buckets.count(i));
    }
  }
}
