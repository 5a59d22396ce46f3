package io.weir.alarm;

import java.math.BigInteger;

/**
 * Mean and standard deviation of numbers that come and go. The sums of the numbers and of their
 * squares are exact, as multiples of a power of two: no order and no number that has gone leaves a
 * trace. Not safe for several threads.
 */
final class ExactSpread {
  private static final int MANTISSA_BITS = 52;
  private static final int BIAS = 1075;
  private static final int NO_EXPONENT = 1024;

  /** More than a double has, and one that says whether anything follows. */
  private static final int ROUNDED_BITS = 64;

  private int numbers;

  /** All are multiples of two to it. */
  private int exponent = NO_EXPONENT;

  private BigInteger sum = BigInteger.ZERO;
  private BigInteger squares = BigInteger.ZERO;

  /** Takes a number that is finite. */
  void add(double number) {
    numbers++;
    BigInteger units = units(number);
    sum = sum.add(units);
    squares = squares.add(units.multiply(units));
  }

  /** Takes one away that was added. */
  void remove(double number) {
    numbers--;
    BigInteger units = units(number);
    sum = sum.subtract(units);
    squares = squares.subtract(units.multiply(units));
    if (numbers == 0) {
      exponent = NO_EXPONENT;
    }
  }

  /** The number as a multiple of two to the exponent, which becomes smaller where it has to. */
  private BigInteger units(double number) {
    long bits = Double.doubleToRawLongBits(number);
    long mantissa = bits & (1L << MANTISSA_BITS) - 1;
    int of = Math.getExponent(number) < Double.MIN_EXPONENT ? 1 : Math.getExponent(number) + 1023;
    mantissa |= Math.getExponent(number) < Double.MIN_EXPONENT ? 0 : 1L << MANTISSA_BITS;
    if (mantissa == 0) {
      return BigInteger.ZERO;
    }
    int zeros = Long.numberOfTrailingZeros(mantissa);
    int own = of - BIAS + zeros;
    if (own < exponent) {
      sum = sum.shiftLeft(exponent - own);
      squares = squares.shiftLeft(2 * (exponent - own));
      exponent = own;
    }
    long signed = number < 0 ? -(mantissa >>> zeros) : mantissa >>> zeros;
    return BigInteger.valueOf(signed).shiftLeft(own - exponent);
  }

  /** The sums are rounded to a double each, once. */
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
