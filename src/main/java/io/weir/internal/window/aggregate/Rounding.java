package io.weir.internal.window.aggregate;

import java.math.BigInteger;

/** Rounds exact numbers once to doubles: to the nearest, ties to even (IEEE 754). */
final class Rounding {
  /** The bits of a double, with guard bits and a sticky bit. */
  private static final int KEPT_BITS = 62;

  /**
   * Exponent of a quarter of the smallest double: two bits below it distinguish a half from more.
   */
  private static final int QUARTER_OF_LOWEST = -1076;

  private Rounding() {}

  /** {@code unscaled * 2^exponent}; infinite above the largest double. */
  static double toDouble(BigInteger unscaled, int exponent) {
    BigInteger magnitude = unscaled.abs();
    int bits = magnitude.bitLength();
    boolean subnormal = bits - 1 + exponent < Double.MIN_EXPONENT;
    int drop = Math.max(0, subnormal ? QUARTER_OF_LOWEST - exponent : bits - KEPT_BITS);
    long kept = magnitude.shiftRight(drop).longValueExact();
    if (drop > 0 && magnitude.signum() != 0 && magnitude.getLowestSetBit() < drop) {
      kept |= 1;
    }
    double rounded =
        subnormal && exponent + drop == QUARTER_OF_LOWEST
            ? quarters(kept) * Double.MIN_VALUE
            : Math.scalb((double) kept, exponent + drop);
    return unscaled.signum() < 0 ? -rounded : rounded;
  }

  /** A number of quarters as the nearest integer, ties to even. */
  private static long quarters(long count) {
    long whole = count >>> 2;
    long rest = count & 3;
    return rest > 2 || (rest == 2 && (whole & 1) == 1) ? whole + 1 : whole;
  }

  /** The quotient of two integers, times a power of two; the divisor is positive. */
  static double quotient(BigInteger dividend, BigInteger divisor, int exponent) {
    int shift = Math.max(0, KEPT_BITS + 2 + divisor.bitLength() - dividend.bitLength());
    BigInteger[] parts = dividend.abs().shiftLeft(shift).divideAndRemainder(divisor);
    BigInteger quotient = parts[0].shiftLeft(1);
    if (parts[1].signum() != 0) {
      quotient = quotient.setBit(0);
    }
    return toDouble(dividend.signum() < 0 ? quotient.negate() : quotient, exponent - shift - 1);
  }

  /** The square root of such a quotient; the dividend is not negative. */
  static double squareRoot(BigInteger dividend, BigInteger divisor, int exponent) {
    int shift = Math.max(0, 2 * (KEPT_BITS + 1) + divisor.bitLength() - dividend.bitLength());
    shift += (exponent - shift) & 1;
    BigInteger[] parts = dividend.shiftLeft(shift).divideAndRemainder(divisor);
    BigInteger[] root = parts[0].sqrtAndRemainder();
    BigInteger kept = root[0].shiftLeft(1);
    if (parts[1].signum() != 0 || root[1].signum() != 0) {
      kept = kept.setBit(0);
    }
    return toDouble(kept, (exponent - shift) / 2 - 1);
  }
}
