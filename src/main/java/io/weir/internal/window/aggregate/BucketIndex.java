package io.weir.internal.window.aggregate;

import java.math.BigInteger;

/**
 * The bucket of a value in an exponential histogram of scale {@value #FINEST_SCALE}: bucket {@code
 * i} has the values from base^i, exclusive, to base^(i + 1), inclusive, with base = 2^(2^-12), as
 * in OpenTelemetry's data model. The bucket at a coarser scale {@code s} is this one shifted right
 * by {@code 12 - s}.
 *
 * <p>The bounds within a power of two are computed once, exactly, with integers: a value's bucket
 * is the same on every machine, which Math.log does not guarantee.
 */
final class BucketIndex {
  static final int FINEST_SCALE = 12;

  private static final int BUCKETS = 1 << FINEST_SCALE;
  private static final int FRACTION_BITS = 52;
  private static final long ONE = 1L << FRACTION_BITS;

  /** {@code BOUNDS[k]}: the largest mantissa of 53 bits that is at most 2^(k / 4096). */
  private static final long[] BOUNDS = bounds();

  private BucketIndex() {}

  /**
   * Fixed-point numbers with this number of fractional bits; the error of a root is less than the
   * last bit.
   */
  private static final int PRECISION = 320;

  private static long[] bounds() {
    BigInteger root = BigInteger.TWO.shiftLeft(PRECISION);
    for (int i = 0; i < FINEST_SCALE; i++) {
      root = root.shiftLeft(PRECISION).sqrt();
    }
    long[] bounds = new long[BUCKETS];
    BigInteger power = BigInteger.ONE.shiftLeft(PRECISION);
    for (int k = 0; k < BUCKETS; k++) {
      bounds[k] = power.shiftRight(PRECISION - FRACTION_BITS).longValueExact();
      power = power.multiply(root).shiftRight(PRECISION);
    }
    return bounds;
  }

  /**
   * Returns the bucket of a magnitude.
   *
   * @param magnitude positive and finite
   */
  static int of(double magnitude) {
    long bits = Double.doubleToRawLongBits(magnitude);
    int exponent = (int) (bits >>> FRACTION_BITS);
    long mantissa = bits & (ONE - 1);
    if (exponent == 0) {
      int shift = Long.numberOfLeadingZeros(mantissa) - (Long.SIZE - 1 - FRACTION_BITS);
      mantissa <<= shift;
      exponent = 1 - shift;
    } else {
      mantissa |= ONE;
    }
    return (exponent - Double.MAX_EXPONENT) * BUCKETS + within(mantissa);
  }

  /** The last k with 2^(k / 4096) below the mantissa; -1 for the power of two itself. */
  private static int within(long mantissa) {
    if (mantissa == ONE) {
      return -1;
    }
    int low = 0;
    int high = BUCKETS;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (BOUNDS[middle] < mantissa) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
