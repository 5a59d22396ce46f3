package io.weir.internal.alarm;

import java.math.BigInteger;

/**
 * Mean and standard deviation of a changing multiset of numbers. The sums of the numbers and of
 * their squares are exact, as multiples of a power of two, so that neither the order nor removed
 * numbers affect the result. Not safe for several threads.
 */
final class ExactSpread {
  private static final int MANTISSA_BITS = 52;
  private static final int BIAS = 1075;
  private static final int NO_EXPONENT = 1024;

  /** Bits of a double, one more, and a sticky bit. */
  private static final int ROUNDED_BITS = 64;

  private int numbers;

  /** All sums are multiples of two to this exponent. */
  private int exponent = NO_EXPONENT;

  private BigInteger sum = BigInteger.ZERO;
  private BigInteger squares = BigInteger.ZERO;

  /** Adds a finite number. */
  void add(double number) {
    numbers++;
    BigInteger units = units(number);
    sum = sum.add(units);
    squares = squares.add(units.multiply(units));
  }

  /** Removes a number that was added. */
  void remove(double number) {
    numbers--;
    BigInteger units = units(number);
    sum = sum.subtract(units);
    squares = squares.subtract(units.multiply(units));
    if (numbers == 0) {
      exponent = NO_EXPONENT;
    }
  }

  /** The number as a multiple of two to the exponent, which is lowered if necessary. */
  private BigInteger units(double number) {
    long bits = Double.doubleToRawLongBits(number);
    long mantissa = bits & (1L << MANTISSA_BITS) - 1;
    int biased =
        Math.getExponent(number) < Double.MIN_EXPONENT ? 1 : Math.getExponent(number) + 1023;
    mantissa |= Math.getExponent(number) < Double.MIN_EXPONENT ? 0 : 1L << MANTISSA_BITS;
    if (mantissa == 0) {
      return BigInteger.ZERO;
    }
    int zeros = Long.numberOfTrailingZeros(mantissa);
    int scale = biased - BIAS + zeros;
    if (scale < exponent) {
      sum = sum.shiftLeft(exponent - scale);
      squares = squares.shiftLeft(2 * (exponent - scale));
      exponent = scale;
    }
    long signed = number < 0 ? -(mantissa >>> zeros) : mantissa >>> zeros;
    return BigInteger.valueOf(signed).shiftLeft(scale - exponent);
  }

  /** Mean and deviation; each sum is rounded to a double once. */
  Baseline.Spread spread() {
    BigInteger n = BigInteger.valueOf(numbers);
    BigInteger distances = squares.multiply(n).subtract(sum.multiply(sum));
    double variance = rounded(distances, 2 * exponent) / ((double) numbers * numbers);
    return new Baseline.Spread(numbers, rounded(sum, exponent) / numbers, Math.sqrt(variance));
  }

  private static double rounded(BigInteger units, int exponent) {
    BigInteger size = units.abs();
    int excess = Math.max(0, size.bitLength() - ROUNDED_BITS);
    BigInteger top = size.shiftRight(excess);
    if (excess > 0 && size.getLowestSetBit() < excess) {
      top = top.setBit(0);
    }
    return units.signum() * Math.scalb(top.doubleValue(), exponent + excess);
  }
}
