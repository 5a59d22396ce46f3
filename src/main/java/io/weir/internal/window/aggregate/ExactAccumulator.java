package io.weir.internal.window.aggregate;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An exact sum of doubles and of products of two: a fixed-point number of 32-bit digits, from the
 * lowest to the highest digit ever used. Digits are in longs, so that carries are deferred (after
 * R. M. Neal, "Fast exact summation using small and large superaccumulators", 2015).
 *
 * <p>The order of additions does not matter. The range of all doubles needs 66 digits, that of
 * their squares 132; values of similar magnitude need 3 to 6. Adding costs a few nanoseconds. Not
 * safe for several threads.
 */
public final class ExactAccumulator {
  private static final int DIGIT_BITS = 32;
  private static final long DIGIT_MASK = 0xffff_ffffL;

  /** Number of additions of less than 2^32 before the long of a digit could overflow. */
  private static final int MOST_PENDING = 1 << 30;

  private static final int FRACTION_BITS = 52;
  private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;

  /** One less than the exponent of the lowest bit of a double with the biased exponent 0. */
  private static final int EXPONENT_BIAS = 1075;

  /** An upper bound of the terms of a sum: all its bits, 53 for each term, plus a reserve. */
  private static final int MOST_TERMS = 64;

  private long[] digits = new long[0];

  /** {@code digits[i]} counts 2^(32 * (lowest + i)). */
  private int lowest;

  private int pending;

  /**
   * Adds a value.
   *
   * @param value finite
   */
  public void add(double value) {
    addSigned(mantissa(value), exponent(value), value < 0);
  }

  /**
   * Adds the exact product of two values.
   *
   * @param a finite
   * @param b finite
   */
  public void addProduct(double a, double b) {
    addProduct(mantissa(a), mantissa(b), exponent(a) + exponent(b), a < 0 != b < 0);
  }

  /**
   * Adds the exact product of a value and an integer.
   *
   * @param a finite
   * @param factor not {@code Long.MIN_VALUE}
   */
  public void addProduct(double a, long factor) {
    addProduct(mantissa(a), Math.absExact(factor), exponent(a), a < 0 != factor < 0);
  }

  private void addProduct(long a, long b, int exponent, boolean negative) {
    addSigned(a * b, exponent, negative);
    addSigned(Math.multiplyHigh(a, b), exponent + Long.SIZE, negative);
  }

  /** The digits of a double: its magnitude is {@code mantissa * 2^exponent}. */
  private static long mantissa(double value) {
    long bits = Double.doubleToRawLongBits(value);
    long fraction = bits & FRACTION_MASK;
    return biasedExponent(bits) == 0 ? fraction : fraction | 1L << FRACTION_BITS;
  }

  private static int exponent(double value) {
    return Math.max(1, biasedExponent(Double.doubleToRawLongBits(value))) - EXPONENT_BIAS;
  }

  private static int biasedExponent(long bits) {
    return (int) (bits >>> FRACTION_BITS) & 0x7ff;
  }

  /**
   * @param magnitude unsigned
   */
  private void addSigned(long magnitude, int exponent, boolean negative) {
    if (magnitude == 0) {
      return;
    }
    int shift = Math.floorMod(exponent, DIGIT_BITS);
    int first = room(Math.floorDiv(exponent, DIGIT_BITS), 3);
    long low = (magnitude << shift) & DIGIT_MASK;
    long middle = (magnitude >>> (DIGIT_BITS - shift)) & DIGIT_MASK;
    long high = shift == 0 ? 0 : magnitude >>> (2 * DIGIT_BITS - shift);
    if (negative) {
      digits[first] -= low;
      digits[first + 1] -= middle;
      digits[first + 2] -= high;
    } else {
      digits[first] += low;
      digits[first + 1] += middle;
      digits[first + 2] += high;
    }
    if (++pending == MOST_PENDING) {
      carry();
    }
  }

  /** Makes room for digits; returns the index of the first. */
  private int room(int digit, int count) {
    if (digits.length == 0) {
      lowest = digit;
      digits = new long[count];
    } else if (digit < lowest) {
      int more = lowest - digit;
      long[] wider = new long[digits.length + more];
      System.arraycopy(digits, 0, wider, more, digits.length);
      digits = wider;
      lowest = digit;
    }
    if (digit + count > lowest + digits.length) {
      digits = Arrays.copyOf(digits, digit + count - lowest);
    }
    return digit - lowest;
  }

  /** Brings each digit but the highest into 0 .. 2^32 - 1; the highest has the sign. */
  private void carry() {
    long carry = 0;
    for (int i = 0; i < digits.length; i++) {
      long digit = digits[i] + carry;
      digits[i] = digit & DIGIT_MASK;
      carry = digit >> DIGIT_BITS;
    }
    if (carry != 0) {
      // The carry out of the highest digit stays signed; it gets a new digit unless it is only the
      // sign.
      if (carry == -1) {
        digits[digits.length - 1] |= -1L << DIGIT_BITS;
      } else {
        digits = Arrays.copyOf(digits, digits.length + 1);
        digits[digits.length - 1] = carry;
      }
    }
    pending = 1;
  }

  /** Adds another accumulator, whose value is not changed. */
  public void merge(ExactAccumulator other) {
    if (other.digits.length == 0) {
      return;
    }
    carry();
    other.carry();
    int first = room(other.lowest, other.digits.length);
    for (int i = 0; i < other.digits.length; i++) {
      digits[first + i] += other.digits[i];
    }
    carry();
  }

  /** The value, rounded once to the nearest double, ties to even; infinite above the largest. */
  public double toDouble() {
    return Rounding.toDouble(unscaled(), exponent());
  }

  /** The value over a divisor above 0, rounded once; 0 is positive. */
  public double dividedBy(long divisor) {
    return Rounding.quotient(unscaled(), BigInteger.valueOf(divisor), exponent()) + 0.0;
  }

  /**
   * The value as an exact sum of doubles: the value rounded to a double, then the rounded
   * remainder, until the remainder is 0.
   *
   * @param from number of first terms to omit
   * @throws ArithmeticException if the value is above the largest double
   */
  public double[] terms(int from) {
    ExactAccumulator left = new ExactAccumulator();
    left.merge(this);
    double[] terms = new double[MOST_TERMS];
    int count = 0;
    for (double term = left.toDouble(); term != 0; term = left.toDouble()) {
      if (Double.isInfinite(term)) {
        throw new ArithmeticException("the value is above the largest double");
      }
      terms[count++] = term;
      left.add(-term);
    }
    return Arrays.copyOfRange(terms, Math.min(from, count), count);
  }

  /** The value is {@code unscaled() * 2^exponent()}. */
  public BigInteger unscaled() {
    if (digits.length == 0) {
      return BigInteger.ZERO;
    }
    carry();
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + Integer.BYTES * (digits.length - 1));
    bytes.putLong(digits[digits.length - 1]);
    for (int i = digits.length - 2; i >= 0; i--) {
      bytes.putInt((int) digits[i]);
    }
    return new BigInteger(bytes.array());
  }

  /** The exponent of the power of two that multiplies {@link #unscaled}. */
  public int exponent() {
    return lowest * DIGIT_BITS;
  }

  /** Maximum number of bytes of {@link #unscaled}. */
  public int mostBytes() {
    return Long.BYTES + Integer.BYTES * (digits.length + 1);
  }

  /** Adds a serialized value. */
  public void add(BigInteger unscaled, int exponent) {
    boolean negative = unscaled.signum() < 0;
    BigInteger magnitude = unscaled.abs();
    for (int bit = 0; bit < magnitude.bitLength(); bit += DIGIT_BITS) {
      long digit = magnitude.shiftRight(bit).longValue() & DIGIT_MASK;
      addSigned(digit, exponent + bit, negative);
    }
  }
}
