package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/**
 * Finite doubles as bytes, those with a few decimal places short. Every value is read back bit for
 * bit.
 *
 * <pre>
 * value  varint: zigzag of value * 10^places, times 8, plus places (0 to 6)
 *        | or 7, then the 8 bytes of the double, little-endian
 * </pre>
 *
 * <p>Not safe for several threads.
 */
final class DecimalCodec {
  private static final double[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final int RAW = POWERS.length;
  private static final int PLACES_BITS = 3;

  /** With more digits the eight bytes are no longer. */
  private static final double MOST = 1L << 46;

  /** What fitted the value before: most sensors of a gateway have the same number of places. */
  private int places;

  void write(double value, ByteColumn out) {
    if (!writeDecimal(value, places, out)) {
      int fits = 0;
      while (fits < RAW && !writeDecimal(value, fits, out)) {
        fits++;
      }
      if (fits < RAW) {
        places = fits;
      } else {
        out.putVarint(RAW);
        out.putFixed64(Double.doubleToRawLongBits(value));
      }
    }
  }

  private static boolean writeDecimal(double value, int places, ByteColumn out) {
    double scaled = Math.rint(value * POWERS[places]);
    if (!(Math.abs(scaled) < MOST)) {
      return false;
    }
    // An integer below 2^53 by a power of ten below 2^53: rounded once, as when it is read.
    if (Double.doubleToRawLongBits(scaled / POWERS[places]) != Double.doubleToRawLongBits(value)) {
      return false;
    }
    if (scaled == 0 && Double.doubleToRawLongBits(value) != 0) {
      return false;
    }
    long mantissa = (long) scaled;
    out.putVarint((((mantissa << 1) ^ (mantissa >> 63)) << PLACES_BITS) | places);
    return true;
  }

  static double read(CodedInputStream in) throws IOException {
    long number = in.readRawVarint64();
    int places = (int) (number & ((1 << PLACES_BITS) - 1));
    if (places == RAW) {
      double value = Double.longBitsToDouble(in.readRawLittleEndian64());
      if (!Double.isFinite(value)) {
        throw new IOException("a reading of " + value);
      }
      return value;
    }
    long mantissa = CodedInputStream.decodeZigZag64(number >>> PLACES_BITS);
    return mantissa / POWERS[places];
  }
}
