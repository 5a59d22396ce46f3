package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.aggregate.ExactAccumulator;
import java.io.IOException;
import java.math.BigInteger;

/**
 * An exact number as bytes: the exponent of 2, zigzag; a length; the unscaled number in two's
 * complement, big-endian.
 */
final class ExactNumberCodec {
  /** Exponent and length. */
  private static final int HEAD_BYTES = 10;

  /** Beyond the exponents of products of two doubles, and of a double and a long. */
  private static final int MOST_EXPONENT = 2_400;

  private ExactNumberCodec() {}

  static int mostBytes(ExactAccumulator number) {
    return HEAD_BYTES + number.mostBytes();
  }

  static void write(ExactAccumulator number, CodedOutputStream out) throws IOException {
    BigInteger unscaled = number.unscaled();
    out.writeSInt32NoTag(number.exponent());
    out.writeByteArrayNoTag(unscaled.toByteArray());
  }

  static ExactAccumulator read(CodedInputStream in) throws IOException {
    int exponent = in.readSInt32();
    byte[] unscaled = in.readByteArray();
    if (unscaled.length == 0 || Math.abs((long) exponent) > MOST_EXPONENT) {
      throw new IOException("an exact number of " + unscaled.length + " bytes, 2^" + exponent);
    }
    ExactAccumulator number = new ExactAccumulator();
    number.add(new BigInteger(unscaled), exponent);
    return number;
  }
}
