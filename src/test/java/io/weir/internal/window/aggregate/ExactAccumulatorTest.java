package io.weir.internal.window.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactAccumulatorTest {
  private static double anyDouble(Random random) {
    while (true) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        return random.nextInt(20) == 0 ? value * Double.MIN_VALUE : value;
      }
    }
  }

  private static BigDecimal exact(ExactAccumulator sum) {
    return exact(sum.unscaled(), sum.exponent());
  }

  /** {@code number * 2^exponent}; below 0 as {@code number * 5^-exponent / 10^-exponent}. */
  private static BigDecimal exact(BigInteger number, int exponent) {
    return exponent >= 0
        ? new BigDecimal(number.shiftLeft(exponent))
        : new BigDecimal(number.multiply(BigInteger.valueOf(5).pow(-exponent)), -exponent);
  }

  @Test
  void sumsAndProducts_ofAnyDoubles_areBigDecimals() {
    Seeds.forEach(
        1000,
        random -> {
          ExactAccumulator sum = new ExactAccumulator();
          BigDecimal expected = BigDecimal.ZERO;
          for (int i = random.nextInt(40); i >= 0; i--) {
            double a = anyDouble(random);
            double b = anyDouble(random);
            long factor = random.nextLong() >> random.nextInt(63);
            switch (random.nextInt(3)) {
              case 0 -> {
                sum.add(a);
                expected = expected.add(new BigDecimal(a));
              }
              case 1 -> {
                sum.addProduct(a, b);
                expected = expected.add(new BigDecimal(a).multiply(new BigDecimal(b)));
              }
              default -> {
                sum.addProduct(a, factor);
                expected = expected.add(new BigDecimal(a).multiply(BigDecimal.valueOf(factor)));
              }
            }
          }
          assertThat(exact(sum)).isEqualByComparingTo(expected);
          assertThat(Double.doubleToRawLongBits(sum.toDouble()))
              .isEqualTo(Double.doubleToRawLongBits(expected.doubleValue()));
        });
  }

  @Test
  void merge_andReadingBack_changeNoBit() {
    Seeds.forEach(
        500,
        random -> {
          ExactAccumulator[] parts = new ExactAccumulator[1 + random.nextInt(5)];
          ExactAccumulator all = new ExactAccumulator();
          for (int i = 0; i < parts.length; i++) {
            parts[i] = new ExactAccumulator();
            for (int n = random.nextInt(10); n > 0; n--) {
              double value = anyDouble(random);
              parts[i].add(value);
              all.add(value);
            }
          }
          ExactAccumulator merged = new ExactAccumulator();
          for (ExactAccumulator part : parts) {
            BigDecimal before = exact(part);
            merged.merge(part);
            assertThat(exact(part)).isEqualByComparingTo(before);
          }
          ExactAccumulator again = new ExactAccumulator();
          again.add(merged.unscaled(), merged.exponent());
          assertThat(exact(merged)).isEqualByComparingTo(exact(all));
          assertThat(exact(again)).isEqualByComparingTo(exact(all));
          assertThat(merged.unscaled().toByteArray().length)
              .isLessThanOrEqualTo(merged.mostBytes());
        });
  }

  /** Digits that only ever grow, until their carries go through all of them. */
  @Test
  void carries_throughAllDigits_inBothDirections() {
    ExactAccumulator sum = new ExactAccumulator();
    sum.add(0x1p1000);
    sum.add(-Double.MIN_VALUE);
    assertThat(sum.toDouble()).isEqualTo(0x1p1000);
    sum.add(-0x1p1000);
    assertThat(sum.toDouble()).isEqualTo(-Double.MIN_VALUE);
    sum.add(Double.MIN_VALUE);
    assertThat(sum.toDouble()).isZero();
    for (int i = 0; i < 1_000_000; i++) {
      sum.add(-Double.MAX_VALUE);
      if (i % 1000 == 0) {
        sum.unscaled();
      }
    }
    assertThat(exact(sum))
        .isEqualByComparingTo(
            new BigDecimal(-Double.MAX_VALUE).multiply(new BigDecimal(1_000_000)));
  }

  @Test
  void rounding_ofAnyNumber_isToTheNearestEven() {
    Seeds.forEach(
        20_000,
        random -> {
          BigInteger number = new BigInteger(1 + random.nextInt(130), random);
          number = random.nextBoolean() ? number : number.negate();
          if (random.nextBoolean()) {
            // Ties, and their nearest neighbours.
            number =
                number
                    .shiftLeft(1 + random.nextInt(60))
                    .add(BigInteger.valueOf(random.nextInt(3) - 1));
          }
          int exponent =
              random.nextBoolean() ? -1200 + random.nextInt(250) : random.nextInt(2000) - 1000;
          BigDecimal exact = exact(number, exponent);
          assertThat(Rounding.toDouble(number, exponent) + 0.0)
              .as("%s * 2^%d", number, exponent)
              .isEqualTo(exact.doubleValue());
        });
  }

  /** Of a quotient that has no end, as many digits are computed as rounding needs. */
  @Test
  void quotient_isRoundedOnce() {
    Seeds.forEach(
        5_000,
        random -> {
          BigInteger dividend = new BigInteger(1 + random.nextInt(200), random);
          BigInteger divisor = new BigInteger(1 + random.nextInt(60), random).add(BigInteger.ONE);
          int exponent = random.nextInt(300) - 250;
          BigDecimal exact =
              exact(dividend, exponent).divide(new BigDecimal(divisor), new MathContext(400));
          assertThat(Rounding.quotient(dividend, divisor, exponent)).isEqualTo(exact.doubleValue());
        });
  }
}
