package io.weir.internal.window.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AggregateTest {
  private static Aggregate of(double... values) {
    Aggregate aggregate = new Aggregate();
    for (double value : values) {
      aggregate.add(value);
    }
    return aggregate;
  }

  private static Aggregate merged(Aggregate a, Aggregate b) {
    Aggregate result = new Aggregate();
    result.merge(a);
    result.merge(b);
    return result;
  }

  /** The sum as BigDecimal has it, rounded once; 0 is positive. */
  private static double exactSum(double... values) {
    BigDecimal exact = BigDecimal.ZERO;
    for (double value : values) {
      exact = exact.add(new BigDecimal(value));
    }
    return exact.doubleValue();
  }

  private static void assertSumIsExact(Aggregate aggregate, double... values) {
    assertThat(Double.doubleToRawLongBits(aggregate.sum()))
        .as(() -> aggregate.sum() + " of " + Arrays.toString(values))
        .isEqualTo(Double.doubleToRawLongBits(exactSum(values)));
  }

  private static double[] hostile(Random random) {
    double[] values = new double[1 + random.nextInt(random.nextBoolean() ? 20 : 1500)];
    int kind = random.nextInt(6);
    for (int i = 0; i < values.length; i++) {
      double sign = random.nextBoolean() ? 1 : -1;
      values[i] =
          switch (kind) {
            case 0 -> sign * random.nextDouble();
            case 1 -> (i % 2 == 0 ? 1 : -1) * (1e16 + random.nextInt(3));
            case 2 -> sign * Math.scalb(1 + random.nextDouble(), random.nextInt(2098) - 1074);
            case 3 -> sign * random.nextInt(5) * Double.MIN_VALUE;
            case 4 -> i % 3 == 0 ? 1e16 : i % 3 == 1 ? 1 : -1e16;
            default -> random.nextBoolean() && i > 0 ? -values[i - 1] : sign * Math.exp(i % 50);
          };
    }
    return values;
  }

  @Test
  void sum_ofHostileSequences_isBigDecimalsRoundedOnce() {
    Seeds.forEach(
        1500,
        random -> {
          double[] values = hostile(random);
          assertSumIsExact(of(values), values);
        });
  }

  @Test
  void addAll_ofAnyStretches_agreesWithAddingOneByOne() {
    Seeds.forEach(
        1500,
        random -> {
          double[] values = hostile(random);
          Aggregate stretches = new Aggregate();
          for (int from = 0; from < values.length; ) {
            int to = from + random.nextInt(values.length - from + 1);
            stretches.addAll(values, from, to);
            from = to;
          }
          assertSame(stretches, of(values));
          assertSumIsExact(stretches, values);
        });
  }

  @Test
  void merge_ofAnySplit_agreesWithAddingOneByOne() {
    Seeds.forEach(
        1500,
        random -> {
          double[] values = hostile(random);
          Aggregate split = splitAndMerge(values, 0, values.length, random);
          assertThat(split.count()).isEqualTo(values.length);
          double min = Arrays.stream(values).map(v -> v + 0.0).min().orElseThrow();
          double max = Arrays.stream(values).map(v -> v + 0.0).max().orElseThrow();
          assertThat(split.min()).isEqualTo(min);
          assertThat(split.max()).isEqualTo(max);
          assertSumIsExact(split, values);
        });
  }

  /** Merges halves of random sizes, empty ones among them, in random order. */
  private static Aggregate splitAndMerge(double[] values, int from, int to, Random random) {
    if (to - from <= 1 || random.nextInt(10) == 0) {
      return of(Arrays.copyOfRange(values, from, to));
    }
    int middle = from + random.nextInt(to - from);
    Aggregate low = splitAndMerge(values, from, middle, random);
    Aggregate high = splitAndMerge(values, middle, to, random);
    Aggregate first = random.nextBoolean() ? low : high;
    first.merge(first == low ? high : low);
    return first;
  }

  @Test
  void merge_isAssociativeAndCommutative_bitByBit() {
    Seeds.forEach(
        300,
        random -> {
          Aggregate a = of(hostile(random));
          Aggregate b = random.nextInt(4) == 0 ? new Aggregate() : of(hostile(random));
          Aggregate c = of(hostile(random));
          b.addBad();
          assertSame(merged(merged(a, b), c), merged(a, merged(b, c)));
          assertSame(merged(a, b), merged(b, a));
        });
  }

  private static void assertSame(Aggregate a, Aggregate b) {
    assertThat(a.count()).isEqualTo(b.count());
    assertThat(a.badCount()).isEqualTo(b.badCount());
    assertThat(a.min()).isEqualTo(b.min());
    assertThat(a.max()).isEqualTo(b.max());
    assertThat(Double.doubleToRawLongBits(a.sum())).isEqualTo(Double.doubleToRawLongBits(b.sum()));
  }

  @Test
  void merge_withAnEmptyOne_changesNothing() {
    Seeds.forEach(
        200,
        random -> {
          Aggregate a = of(hostile(random));
          a.addBad();
          Aggregate left = merged(new Aggregate(), a);
          Aggregate right = merged(a, new Aggregate());
          for (Aggregate same : new Aggregate[] {left, right}) {
            assertSame(same, a);
          }
        });
  }

  @Test
  void empty_isZeroEverywhere() {
    Aggregate empty = merged(new Aggregate(), new Aggregate());
    empty.addBad();
    assertThat(new double[] {empty.sum(), empty.min(), empty.max()}).containsExactly(0, 0, 0);
    assertThat(empty.count()).isZero();
    assertThat(empty.badCount()).isEqualTo(1);
  }

  @Test
  void sum_whereNaiveAdditionLosesTheOne_keepsIt() {
    assertThat(of(1e16, 1, -1e16).sum()).isEqualTo(1);
    assertThat(of(1, 1e100, 1, -1e100).sum()).isEqualTo(2);
    assertThat(merged(of(1e16), of(1, -1e16)).sum()).isEqualTo(1);
  }

  /** What a sensor says a million times, with each value taken as the double it is. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, -21.7, 1e-310, 123456789.1, 1e300})
  void sum_ofAMillionEqualValues_isExact(double value) {
    int count = 1_000_000;
    Aggregate aggregate = new Aggregate();
    for (int i = 0; i < count; i++) {
      aggregate.add(value);
    }
    double exact = new BigDecimal(value).multiply(BigDecimal.valueOf(count)).doubleValue();
    assertThat(aggregate.sum()).isEqualTo(exact);
  }

  /** Pairs that cancel around a small remainder, which naive addition loses altogether. */
  @Test
  void sum_ofALongAlternation_keepsWhatDoesNotCancel() {
    Aggregate aggregate = new Aggregate();
    for (int i = 0; i < 100_000; i++) {
      aggregate.add(1e16);
      aggregate.add(0.5);
      aggregate.add(-1e16);
    }
    assertThat(aggregate.sum()).isEqualTo(50_000);
  }

  @Test
  void negativesOnly_maximumIsNegative() {
    Aggregate below = of(-3, -2, -7);
    assertThat(below.min()).isEqualTo(-7);
    assertThat(below.max()).isEqualTo(-2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -0.0})
  void zeroOfEitherSign_isPositiveZero(double zero) {
    for (Aggregate zeros : new Aggregate[] {of(zero), of(-0.0, zero), merged(of(zero), of(-0.0))}) {
      assertThat(Double.doubleToRawLongBits(zeros.sum())).isZero();
      assertThat(Double.doubleToRawLongBits(zeros.min())).isZero();
      assertThat(Double.doubleToRawLongBits(zeros.max())).isZero();
    }
  }

  @Test
  void runningSum_thatLeavesTheRangeOfDoubleAndComesBack_isExact() {
    assertThat(of(1.7e308, 1.7e308, -1.7e308).sum()).isEqualTo(1.7e308);
    assertThat(of(-1.7e308, -1.7e308, 5, 1.7e308, 1.7e308).sum()).isEqualTo(5);
    assertThat(of(Double.MAX_VALUE, -Double.MAX_VALUE, 3).sum()).isEqualTo(3);
    assertThat(of(1.7e308, 1.7e308).sum()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(of(-1.7e308, -1.7e308).sum()).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  /** Half a unit in the last place beyond the largest double rounds to it, or beyond it. */
  @Test
  void sum_aroundTheLargestDouble_isInfiniteOnlyWhereItRoundsBeyond() {
    double half = Math.ulp(Double.MAX_VALUE) / 2;
    assertThat(of(Double.MAX_VALUE, half).sum()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(of(Double.MAX_VALUE, Math.nextDown(half)).sum()).isEqualTo(Double.MAX_VALUE);
    assertThat(of(Double.MAX_VALUE, half, -Double.MIN_VALUE).sum()).isEqualTo(Double.MAX_VALUE);
    assertThat(of(half, -Double.MIN_VALUE, Double.MAX_VALUE).sum()).isEqualTo(Double.MAX_VALUE);
  }

  @Test
  void sum_ofHugeValuesInAnyShape_isExact() {
    Seeds.forEach(
        2000,
        random -> {
          double[] values = new double[2 + random.nextInt(20)];
          for (int i = 0; i < values.length; i++) {
            double[] choice = {1.7e308, -1.7e308, Double.MAX_VALUE, -Double.MAX_VALUE, 1e292, 1};
            values[i] = choice[random.nextInt(choice.length)];
          }
          assertSumIsExact(of(values), values);
          assertSumIsExact(splitAndMerge(values, 0, values.length, random), values);
        });
  }

  @Test
  void addAll_beyondTheEndOfTheCount_addsNothing() {
    Aggregate aggregate = new Aggregate();
    aggregate.restore(Long.MAX_VALUE - 1, 0, 1, 0, null, 1, 1, null);
    assertThatThrownBy(() -> aggregate.addAll(new double[] {5, 7}, 0, 2))
        .isInstanceOf(ArithmeticException.class);
    assertThat(aggregate.count()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(aggregate.sum()).isEqualTo(1);
    assertThat(aggregate.max()).isEqualTo(1);
  }

  @Test
  void count_atItsEnd_refusesToOverflowAndChangesNothing() {
    Aggregate full = new Aggregate();
    full.restore(Long.MAX_VALUE, Long.MAX_VALUE, 1, 0, null, 1, 1, null);
    Aggregate bad = new Aggregate();
    bad.restore(1, Long.MAX_VALUE, 1, 0, null, 1, 1, null);
    Aggregate other = of(5);
    other.addBad();
    assertThatThrownBy(() -> full.add(7)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(full::addBad).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> full.merge(other)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> bad.merge(other)).isInstanceOf(ArithmeticException.class);
    assertThat(full.count()).isEqualTo(Long.MAX_VALUE);
    assertThat(full.sum()).isEqualTo(1);
    assertThat(full.max()).isEqualTo(1);
    assertThat(bad.count()).isEqualTo(1);
  }
}
