package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.store.StatisticsCodec.SampleSource;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.ExactAccumulator;
import io.weir.internal.window.aggregate.Statistics;
import java.io.IOException;

/**
 * An aggregate as bytes, with its length in front, so that those who hold one need not know what is
 * in it. Numbers are protobuf varints.
 *
 * <pre>
 * aggregate   length in bytes of what follows | parts (1 low, 2 wide, 4 statistics) | count
 *             | bad count | if count is not 0: sum, min, max | if flagged: statistics
 * sum         wide: exact number ({@link ExactNumberCodec})
 *             else: high [, low] as 8 bytes little-endian each
 * min, max    8 bytes little-endian each
 * statistics  {@link StatisticsCodec}
 * </pre>
 */
final class AggregateCodec {
  private static final int HAS_LOW = 1;
  private static final int IS_WIDE = 2;
  private static final int HAS_STATISTICS = 4;
  private static final int KNOWN_PARTS = HAS_LOW | IS_WIDE | HAS_STATISTICS;

  /** All but a wide sum and statistics, at their longest. */
  private static final int MOST_BYTES = 64;

  private byte[] buffer = new byte[MOST_BYTES];

  /** How many bytes an aggregate takes at the most. */
  static int mostBytes(Aggregate aggregate) {
    ExactAccumulator wide = aggregate.wideSum();
    Statistics statistics = aggregate.statistics();
    return MOST_BYTES
        + (wide == null ? 0 : ExactNumberCodec.mostBytes(wide))
        + (statistics == null ? 0 : StatisticsCodec.mostBytes(statistics));
  }

  void write(Aggregate aggregate, CodedOutputStream out) throws IOException {
    int most = mostBytes(aggregate);
    if (buffer.length < most) {
      buffer = new byte[most];
    }
    CodedOutputStream body = CodedOutputStream.newInstance(buffer);
    writeBody(aggregate, body);
    out.writeUInt32NoTag(body.getTotalBytesWritten());
    out.write(buffer, 0, body.getTotalBytesWritten());
  }

  private static void writeBody(Aggregate aggregate, CodedOutputStream out) throws IOException {
    boolean empty = aggregate.count() == 0;
    ExactAccumulator wide = empty ? null : aggregate.wideSum();
    boolean hasLow = !empty && aggregate.sumLow() != 0;
    Statistics statistics = aggregate.statistics();
    out.writeUInt32NoTag(
        (hasLow ? HAS_LOW : 0)
            | (wide != null ? IS_WIDE : 0)
            | (statistics != null ? HAS_STATISTICS : 0));
    out.writeUInt64NoTag(aggregate.count());
    out.writeUInt64NoTag(aggregate.badCount());
    if (!empty) {
      writeSum(aggregate, wide, hasLow, out);
      out.writeDoubleNoTag(aggregate.min());
      out.writeDoubleNoTag(aggregate.max());
    }
    if (statistics != null) {
      StatisticsCodec.write(statistics, !empty, out);
    }
  }

  private static void writeSum(
      Aggregate aggregate, ExactAccumulator wide, boolean hasLow, CodedOutputStream out)
      throws IOException {
    if (wide != null) {
      ExactNumberCodec.write(wide, out);
      return;
    }
    out.writeDoubleNoTag(aggregate.sumHigh());
    if (hasLow) {
      out.writeDoubleNoTag(aggregate.sumLow());
    }
  }

  /** Leaves out an aggregate. */
  static void skip(CodedInputStream in) throws IOException {
    in.skipRawBytes(in.readUInt32());
  }

  /** Puts back what was written, in place of what the aggregate has. */
  static void read(CodedInputStream in, Aggregate aggregate, SampleSource samples)
      throws IOException {
    int limit = in.pushLimit(in.readUInt32());
    int parts = in.readUInt32();
    if ((parts & ~KNOWN_PARTS) != 0) {
      throw new StateMismatchException(
          "the state has parts " + parts + " of an aggregate, this version knows " + KNOWN_PARTS);
    }
    long count = in.readUInt64();
    long badCount = in.readUInt64();
    ExactAccumulator wide = null;
    double high = 0;
    double low = 0;
    double min = 0;
    double max = 0;
    if (count > 0) {
      if ((parts & IS_WIDE) != 0) {
        wide = ExactNumberCodec.read(in);
      } else {
        high = in.readDouble();
        low = (parts & HAS_LOW) != 0 ? in.readDouble() : 0;
      }
      min = in.readDouble();
      max = in.readDouble();
    }
    Statistics statistics =
        (parts & HAS_STATISTICS) != 0 ? StatisticsCodec.read(in, count > 0, samples) : null;
    if (!in.isAtEnd()) {
      throw new IOException("an aggregate is longer than what is in it");
    }
    in.popLimit(limit);
    aggregate.restore(count, badCount, high, low, wide, min, max, statistics);
  }
}
