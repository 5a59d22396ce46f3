package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.window.aggregate.Aggregate;
import io.weir.window.aggregate.ExactAccumulator;
import java.io.IOException;
import java.math.BigInteger;

/**
 * An aggregate as bytes, with its length in front, so that those who hold one need not know what is
 * in it. Numbers are protobuf varints.
 *
 * <pre>
 * aggregate  length in bytes of what follows | parts (1 low, 2 wide) | count | bad count
 *            | if count is not 0: sum, min, max
 * sum        wide: exponent, zigzag | length | the unscaled number, two's complement, big-endian
 *            else: high [, low] as 8 bytes little-endian each
 * min, max   8 bytes little-endian each
 * </pre>
 */
final class AggregateCodec {
  private static final int HAS_LOW = 1;
  private static final int IS_WIDE = 2;
  private static final int KNOWN_PARTS = HAS_LOW | IS_WIDE;

  /** All but a wide sum's number, at their longest. */
  private static final int MOST_BYTES = 80;

  private byte[] buffer = new byte[MOST_BYTES];

  /** How many bytes an aggregate takes at the most. */
  static int mostBytes(Aggregate aggregate) {
    ExactAccumulator wide = aggregate.wideSum();
    return MOST_BYTES + (wide == null ? 0 : wide.mostBytes());
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
    ExactAccumulator wide = aggregate.count() > 0 ? aggregate.wideSum() : null;
    boolean hasLow = aggregate.sumLow() != 0;
    out.writeUInt32NoTag((hasLow ? HAS_LOW : 0) | (wide != null ? IS_WIDE : 0));
    out.writeUInt64NoTag(aggregate.count());
    out.writeUInt64NoTag(aggregate.badCount());
    if (aggregate.count() == 0) {
      return;
    }
    if (wide != null) {
      out.writeSInt32NoTag(wide.exponent());
      out.writeByteArrayNoTag(wide.unscaled().toByteArray());
    } else {
      out.writeDoubleNoTag(aggregate.sumHigh());
      if (hasLow) {
        out.writeDoubleNoTag(aggregate.sumLow());
      }
    }
    out.writeDoubleNoTag(aggregate.min());
    out.writeDoubleNoTag(aggregate.max());
  }

  /** Puts back what was written, in place of what the aggregate has. */
  static void read(CodedInputStream in, Aggregate aggregate) throws IOException {
    int limit = in.pushLimit(in.readUInt32());
    int parts = in.readUInt32();
    if ((parts & ~KNOWN_PARTS) != 0) {
      throw new StateMismatchException(
          "the state has parts " + parts + " of an aggregate, this version knows " + KNOWN_PARTS);
    }
    long count = in.readUInt64();
    long badCount = in.readUInt64();
    if (count == 0) {
      aggregate.restore(0, badCount, 0, 0, null, 0, 0);
    } else {
      boolean isWide = (parts & IS_WIDE) != 0;
      ExactAccumulator wide = isWide ? readWide(in) : null;
      double high = isWide ? 0 : in.readDouble();
      double low = (parts & HAS_LOW) != 0 ? in.readDouble() : 0;
      aggregate.restore(count, badCount, high, low, wide, in.readDouble(), in.readDouble());
    }
    in.popLimit(limit);
  }

  private static ExactAccumulator readWide(CodedInputStream in) throws IOException {
    int exponent = in.readSInt32();
    ExactAccumulator wide = new ExactAccumulator();
    wide.add(new BigInteger(in.readByteArray()), exponent);
    return wide;
  }
}
